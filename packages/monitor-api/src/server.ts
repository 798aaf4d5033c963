import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { listen } from '@wherry/bytes';
import { MonitorError } from './errors.ts';
import { encodeFrame, type Frame, FrameDecoder } from './frame.ts';
import { limits } from './limits.ts';
import type { MonitorMethodName, MonitorMethods } from './methods.ts';

/** What a handler gets beside its parameters. */
export interface CallContext<Notice> {
  /** Aborts when the caller cancels or its connection goes. */
  signal: AbortSignal;
  /** Sends a notice ahead of the result. Dropped when the caller is gone. */
  notify(payload: Notice): void;
}

/** One handler for each method. What it throws reaches the caller as a {@link MonitorError}. */
export type MonitorHandlers = {
  [M in MonitorMethodName]: (
    params: MonitorMethods[M]['params'],
    context: CallContext<MonitorMethods[M]['notice']>,
  ) => Promise<MonitorMethods[M]['result']> | MonitorMethods[M]['result'];
};

type AnyHandler = (params: unknown, context: CallContext<unknown>) => unknown;

/** A listening monitor endpoint. */
export interface MonitorServer {
  /** Ends the endpoint: calls in flight are aborted, connections closed, the socket file removed. */
  close(): Promise<void>;
}

/** Listens on a unix socket (mode 0600; a left-over file at the path is replaced) and answers with `handlers`. */
export async function createMonitorServer(options: {
  socketPath: string;
  handlers: MonitorHandlers;
}): Promise<MonitorServer> {
  const connections = new Set<ServerConnection>();
  const server = createServer((socket) => {
    const connection = new ServerConnection(socket, options.handlers);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  rmSync(options.socketPath, { force: true });
  await listen(server, { path: options.socketPath });
  chmodSync(options.socketPath, 0o600);
  return {
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.close();
      return closed;
    },
  };
}

class ServerConnection {
  readonly #socket: Socket;
  readonly #handlers: MonitorHandlers;
  readonly #decoder = new FrameDecoder();
  readonly #calls = new Map<number, AbortController>();

  constructor(socket: Socket, handlers: MonitorHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#abortCalls('the caller is gone'));
  }

  close(): void {
    this.#abortCalls('the monitor is closing');
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) this.#accept(frame);
    } catch {
      this.#socket.destroy();
    }
  }

  #accept(frame: Frame): void {
    if (frame.kind === 'cancel') {
      this.#calls.get(frame.id)?.abort(new MonitorError('CANCELLED', 'the caller gave up'));
    } else if (frame.kind === 'request') {
      void this.#answer(frame.id, frame.method, frame.params);
    }
  }

  async #answer(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    try {
      const handler = this.#handlerOf(method);
      if (this.#calls.size >= limits.pendingRequestsMax) {
        throw new MonitorError(
          'RESOURCE_EXHAUSTED',
          `more than ${limits.pendingRequestsMax} calls in flight`,
        );
      }
      this.#calls.set(id, controller);
      const notify = (payload: unknown) => this.#send({ kind: 'notice', id, payload });
      const result = await handler(params, { signal: controller.signal, notify });
      this.#send({ kind: 'result', id, result });
    } catch (error) {
      const { code, message } = MonitorError.from(error);
      this.#send({ kind: 'error', id, error: { code, message } });
    } finally {
      this.#calls.delete(id);
    }
  }

  #handlerOf(method: string): AnyHandler {
    if (!Object.hasOwn(this.#handlers, method)) {
      throw new MonitorError('INVALID_ARGUMENT', `the monitor has no method "${method}"`);
    }
    return this.#handlers[method as MonitorMethodName] as AnyHandler;
  }

  #send(frame: Frame): void {
    if (this.#socket.destroyed) return;
    this.#socket.write(encodeFrame(frame));
    if (this.#socket.writableLength > limits.outboundBytesMax) this.#socket.destroy();
  }

  #abortCalls(reason: string): void {
    for (const controller of this.#calls.values()) controller.abort(new MonitorError('CANCELLED', reason));
  }
}
