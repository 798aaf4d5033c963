import { createConnection, type Socket } from 'node:net';
import { onAbort } from '@wherry/bytes';
import { MonitorError } from './errors.ts';
import { encodeFrame, type Frame, FrameDecoder } from './frame.ts';

interface PendingCall {
  notice(payload: unknown): void;
  resolve(result: unknown): void;
  reject(reason: unknown): void;
}

/** What a call adds to method and parameters. */
export interface CallOptions {
  /** Cancels the call here and at the monitor; the promise rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** One live connection to a monitor. Once lost it stays lost: every pending and later call fails `UNAVAILABLE`. */
export class MonitorConnection {
  readonly #socket: Socket;
  readonly #decoder = new FrameDecoder();
  readonly #pending = new Map<number, PendingCall>();
  #nextId = 1;
  #lost: MonitorError | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#lose(error));
    socket.on('close', () => this.#lose(null));
  }

  /** Connects, or rejects with the socket's error (ENOENT, ECONNREFUSED). */
  static open(socketPath: string): Promise<MonitorConnection> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(socketPath);
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new MonitorConnection(socket));
      });
    });
  }

  /** True once the connection is gone. */
  get isLost(): boolean {
    return this.#lost !== null;
  }

  /** Sends a request; `notice` hears what comes before the result. */
  call(
    method: string,
    params: unknown,
    { signal, notice = () => {} }: CallOptions & { notice?: (payload: unknown) => void } = {},
  ): Promise<unknown> {
    if (this.#lost) return Promise.reject(this.#lost);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    const outcome = new Promise<unknown>((resolve, reject) =>
      this.#pending.set(id, { notice, resolve, reject }),
    );
    const frame = encodeFrame({ kind: 'request', id, method, params });
    this.#socket.write(frame);
    return signal ? this.#cancellable(id, outcome, signal) : outcome;
  }

  close(): void {
    this.#lose(null);
    this.#socket.destroy();
  }

  async #cancellable(id: number, outcome: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    const leave = onAbort(signal, (reason) => {
      if (!this.#lost) this.#socket.write(encodeFrame({ kind: 'cancel', id }));
      const call = this.#pending.get(id);
      this.#pending.delete(id);
      call?.reject(reason);
    });
    try {
      return await outcome;
    } finally {
      leave();
    }
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) this.#accept(frame);
    } catch (error) {
      this.#lose(error);
      this.#socket.destroy();
    }
  }

  #accept(frame: Frame): void {
    const call = this.#pending.get(frame.id);
    if (!call) return;
    if (frame.kind === 'notice') {
      call.notice(frame.payload);
      return;
    }
    this.#pending.delete(frame.id);
    if (frame.kind === 'result') call.resolve(frame.result);
    if (frame.kind === 'error') call.reject(MonitorError.decode(frame.error));
  }

  #lose(cause: unknown): void {
    if (this.#lost) return;
    this.#lost = new MonitorError('UNAVAILABLE', 'the connection to the monitor is gone', { cause });
    for (const call of this.#pending.values()) call.reject(this.#lost);
    this.#pending.clear();
  }
}
