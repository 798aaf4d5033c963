import type { Socket } from 'node:net';
import { onAbort } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import { boundedWords, messageOf, RuntimeError } from '../../errors.ts';
import {
  type PluginMethods,
  type RegisterPluginRequest,
  type RuntimeMethods,
  services,
  type UpdateContainersRequest,
} from '../../generated/nri.ts';
import { limits } from '../../limits.ts';
import { codec } from './envelopes.ts';
import { encodeWire, kinds, lines, WireDecoder, type WireMessage } from './frames.ts';

const packageName = 'nri.pkg.api.v1alpha1';
/** gRPC's numbers of what we answer. */
const codes = { unknown: 2, resourceExhausted: 8, unimplemented: 12 } as const;
const nsPerMs = 1e6;

/** What a plug-in may ask of the runtime. */
export type RuntimeAnswers = {
  [Name in keyof RuntimeMethods]: (
    request: RuntimeMethods[Name]['request'],
  ) => Promise<RuntimeMethods[Name]['response']>;
};

/** How a plug-in's connection failed, as opposed to what the plug-in itself said. */
export class ConnectionLost extends Error {}

interface Waiting {
  resolve(payload: Uint8Array): void;
  reject(error: unknown): void;
}

/** Both directions of a plug-in's socket: our calls of it, and its calls of us. */
export class PlugInConnection {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #answers: RuntimeAnswers;
  readonly #waiting = new Map<number, Waiting>();
  readonly #decoder = new WireDecoder();
  #nextStream = 1;
  #answering = 0;
  #why: string | null = null;
  readonly closed: Promise<void>;

  constructor(socket: Socket, options: { clock: Clock; answers: RuntimeAnswers }) {
    this.#socket = socket;
    this.#clock = options.clock;
    this.#answers = options.answers;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.close(error.message));
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.close('it closed its connection');
        resolve();
      });
    });
  }

  /** Why it was closed; null while it is open. */
  get why(): string | null {
    return this.#why;
  }

  /**
   * Asks the plug-in. Rejects with `ConnectionLost` when it is gone or not in time, and then closes the connection; with
   * `RuntimeError` when it says no.
   */
  async call<Name extends keyof PluginMethods>(
    name: Name,
    request: object,
    timeoutMs: number,
  ): Promise<PluginMethods[Name]['response']> {
    if (this.#why !== null) throw new ConnectionLost(this.#why);
    const [method, input, output] = services.Plugin?.[name] ?? ['', '', ''];
    const payload = codec.encode(input, request);
    const envelope = { service: `${packageName}.Plugin`, method, payload, timeoutNano: timeoutMs * nsPerMs };
    const stream = this.#nextStream;
    this.#nextStream += 2;
    const bytes = encodeWire({
      line: lines.plugIn,
      stream,
      kind: kinds.request,
      data: codec.encode('Request', envelope),
    });
    using patience = deadline({ clock: this.#clock, timeoutMs });
    const late = () => this.close(`${method} was not answered within ${timeoutMs} ms`);
    const leave = onAbort(patience.signal, late);
    try {
      const answer = await new Promise<Uint8Array>((resolve, reject) => {
        this.#waiting.set(stream, { resolve, reject });
        this.#socket.write(bytes);
      });
      return codec.decode(output, answer) as PluginMethods[Name]['response'];
    } finally {
      leave();
      this.#waiting.delete(stream);
    }
  }

  /** How many bytes a message of ours takes. */
  sizeOf(name: string, message: object): number {
    return codec.encode(name, message).length;
  }

  /** Ends the connection, and all calls under way. */
  close(why: string): void {
    if (this.#why !== null) return;
    this.#why = why;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.values()) reject(new ConnectionLost(why));
    this.#waiting.clear();
  }

  #take(bytes: Buffer): void {
    try {
      for (const message of this.#decoder.push(bytes)) {
        if (message.line === lines.plugIn && message.kind === kinds.response) this.#answered(message);
        else if (message.line === lines.runtime && message.kind === kinds.request) this.#asked(message);
        else
          throw new RuntimeError(
            'INVALID_ARGUMENT',
            `a message of kind ${message.kind} on connection ${message.line}`,
          );
      }
    } catch (error) {
      this.close(messageOf(error));
    }
  }

  #answered({ stream, data }: WireMessage): void {
    const waiting = this.#waiting.get(stream);
    const { status, payload } = codec.decode('Response', data) as {
      status?: { code: number; message: string };
      payload: Uint8Array;
    };
    if (!status || status.code === 0) waiting?.resolve(payload);
    else waiting?.reject(new RuntimeError('UNKNOWN', boundedWords(status.message)));
  }

  #asked({ stream, data }: WireMessage): void {
    const { service, method, payload } = codec.decode('Request', data) as {
      service: string;
      method: string;
      payload: Uint8Array;
    };
    const answer = service === `${packageName}.Runtime` ? this.#answerOf(method) : undefined;
    if (!answer) {
      this.#fail(stream, codes.unimplemented, boundedWords(`${service} has no method "${method}"`));
      return;
    }
    if (this.#answering >= limits.nriCallsMax) {
      const message = `${limits.nriCallsMax} calls are being answered already`;
      this.#fail(stream, codes.resourceExhausted, message);
      return;
    }
    this.#answering++;
    answer(payload)
      .then((bytes) => this.#reply(stream, { payload: bytes }))
      .catch((error) => this.#fail(stream, codes.unknown, messageOf(error)))
      .finally(() => this.#answering--);
  }

  #answerOf(method: string): ((payload: Uint8Array) => Promise<Buffer>) | undefined {
    const { registerPlugin, updateContainers } = this.#answers;
    if (method === 'RegisterPlugin')
      return async (payload) => {
        const request = codec.decode('RegisterPluginRequest', payload) as unknown as RegisterPluginRequest;
        return codec.encode('Empty', await registerPlugin(request));
      };
    if (method === 'UpdateContainers')
      return async (payload) => {
        const request = codec.decode(
          'UpdateContainersRequest',
          payload,
        ) as unknown as UpdateContainersRequest;
        return codec.encode('UpdateContainersResponse', await updateContainers(request));
      };
    return undefined;
  }

  #fail(stream: number, code: number, message: string): void {
    this.#reply(stream, { status: { code, message } });
  }

  #reply(stream: number, response: object): void {
    if (this.#why !== null) return;
    const data = codec.encode('Response', response);
    if (this.#socket.writableLength > limits.nriUnreadBytesMax) {
      this.close('it asks on, and does not read what it is answered');
      return;
    }
    this.#socket.write(encodeWire({ line: lines.runtime, stream, kind: kinds.response, data }));
  }
}
