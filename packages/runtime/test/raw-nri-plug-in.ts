import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { services } from '../src/generated/nri.ts';
import { codec } from '../src/nri/wire/envelopes.ts';
import { encodeWire, kinds, lines, WireDecoder, type WireMessage } from '../src/nri/wire/frames.ts';

/** A request of the runtime's, and what can be answered to it. */
export interface Asked {
  method: string;
  stream: number;
  socket: Socket;
  answer(message: object, stream?: number): void;
  refuse(words: string): void;
}

/** A plug-in that keeps to no rule: what it does when it is asked is the test's to say. */
export class RawNriPlugIn {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;

  private constructor(socket: Socket, onAsked: (asked: Asked) => void) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {});
    const decoder = new WireDecoder();
    socket.on('data', (bytes) => {
      for (const message of decoder.push(bytes))
        if (message.kind === kinds.request) this.#asked(message, onAsked);
    });
  }

  /** Connects, and does nothing else. */
  static async connect(path: string, onAsked: (asked: Asked) => void = () => {}): Promise<RawNriPlugIn> {
    const socket = connect(path);
    const plugIn = new RawNriPlugIn(socket, onAsked);
    await once(socket, 'connect');
    return plugIn;
  }

  /** Registers one that is configured, told of what there is, and then asked of everything. */
  static async register(
    path: string,
    onAsked: (asked: Asked) => void,
    name = 'hostile',
  ): Promise<RawNriPlugIn> {
    const told = Promise.withResolvers<void>();
    const plugIn = await RawNriPlugIn.connect(path, (asked) => {
      if (asked.method === 'Configure') asked.answer({ events: 0 });
      else if (asked.method === 'Synchronize') {
        asked.answer({});
        // What comes next on this connection comes behind it.
        setImmediate(told.resolve);
      } else onAsked(asked);
    });
    plugIn.register(name, '10');
    await Promise.race([told.promise, plugIn.closed]);
    return plugIn;
  }

  /** Says who it is. */
  register(pluginName: string, pluginIdx: string): void {
    this.ask('RegisterPlugin', codec.encode('RegisterPluginRequest', { pluginName, pluginIdx }));
  }

  /** Asks the runtime. */
  ask(method: string, payload: Uint8Array = Buffer.alloc(0)): void {
    const data = codec.encode('Request', { service: 'nri.pkg.api.v1alpha1.Runtime', method, payload });
    this.socket.write(encodeWire({ line: lines.runtime, stream: 1, kind: kinds.request, data }));
  }

  #asked({ stream, data }: WireMessage, onAsked: (asked: Asked) => void): void {
    const { method } = codec.decode('Request', data) as { method: string };
    const output = Object.values(services['Plugin'] ?? {}).find(([name]) => name === method)?.[2] ?? 'Empty';
    const respond = (response: object, to: number) => {
      if (this.socket.destroyed) return;
      const bytes = codec.encode('Response', response);
      this.socket.write(encodeWire({ line: lines.plugIn, stream: to, kind: kinds.response, data: bytes }));
    };
    onAsked({
      method,
      stream,
      socket: this.socket,
      answer: (message, to = stream) => respond({ payload: codec.encode(output, message) }, to),
      refuse: (message) => respond({ status: { code: 2, message } }, stream),
    });
  }
}
