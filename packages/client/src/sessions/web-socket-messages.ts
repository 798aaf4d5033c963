import { onAbort, type WaitOptions } from '@wherry/bytes';
import { type Clock, sleep } from '@wherry/clock';
import {
  isClosedInOrder,
  type MessageReceiver,
  type MessageSocket,
  WebSocketClosedError,
} from '@wherry/upgrade';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';

const normalClose = 1000;
const abnormalClose = 1006;

/**
 * A browser's WebSocket as a {@link MessageSocket}. It can't be told to stop reading: what comes while it is paused is
 * held, up to `limits.webSocketHeldBytesMax`, and cuts the connection above that.
 */
export class WebSocketMessages implements MessageSocket {
  readonly closed: Promise<Error | null>;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  #receiver: MessageReceiver | undefined;
  #isPaused = false;
  #held: { data: Uint8Array; isBinary: boolean }[] = [];
  #heldBytes = 0;
  #aborted: Error | undefined;
  #end: { error: Error | null } | undefined;

  /** `socket` is open, with `binaryType` "arraybuffer", and nobody else's. */
  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    const { promise, resolve } = Promise.withResolvers<Error | null>();
    this.closed = promise;
    socket.addEventListener('message', ({ data }) => this.#take(data));
    socket.addEventListener('close', ({ code, reason }) => {
      const error = this.#aborted ?? (isClosedInOrder(code) ? null : new WebSocketClosedError(code, reason));
      this.#end = { error };
      this.#deliver();
      resolve(error);
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  receive(receiver: MessageReceiver): void {
    if (this.#receiver) throw new Error('this WebSocket has its reader already');
    this.#receiver = receiver;
    this.#deliver();
  }

  sendBinary(payload: Uint8Array | readonly Uint8Array[], prefix: Uint8Array = new Uint8Array()): boolean {
    const parts = payload instanceof Uint8Array ? [prefix, payload] : [prefix, ...payload];
    const message = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      message.set(part, at);
      at += part.length;
    }
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(message);
    return this.bufferedBytes < limits.webSocketHighWaterBytes;
  }

  sendText(text: string): boolean {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text);
    return this.bufferedBytes < limits.webSocketHighWaterBytes;
  }

  /** A browser does not say when it has sent something: it is looked at. */
  async drained({ signal }: WaitOptions = {}): Promise<void> {
    while (this.bufferedBytes >= limits.webSocketHighWaterBytes / 2) {
      if (this.#end) throw this.#end.error ?? new WebSocketClosedError(normalClose, '');
      await sleep({ clock: this.#clock, delayMs: limits.webSocketDrainPollMs, signal });
    }
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#deliver();
  }

  close(code = normalClose): void {
    this.#socket.close(code);
  }

  abort(error: Error): void {
    this.#aborted ??= error;
    this.#socket.close();
    this.#end ??= { error };
    this.#held = [];
    this.#isPaused = false;
    this.#deliver();
  }

  #take(data: unknown): void {
    if (this.#aborted) return;
    const isBinary = typeof data !== 'string';
    const bytes = isBinary ? new Uint8Array(data as ArrayBuffer) : new TextEncoder().encode(data);
    this.#held.push({ data: bytes, isBinary });
    this.#heldBytes += bytes.length;
    this.#deliver();
    if (this.#heldBytes > limits.webSocketHeldBytesMax) {
      const message = `more than ${limits.webSocketHeldBytesMax} bytes came than were read`;
      this.abort(new ClientError('bad-answer', message));
    }
  }

  #deliver(): void {
    const receiver = this.#receiver;
    while (receiver && !this.#isPaused) {
      const next = this.#held.shift();
      if (!next) break;
      this.#heldBytes -= next.data.length;
      receiver.message(next.data, next.isBinary);
    }
    if (!receiver || !this.#end || this.#held.length > 0) return;
    this.#receiver = undefined;
    receiver.closed(this.#end.error);
  }
}

/** Opens a WebSocket. Browsers do not tell why one was refused. Rejects with `ClientError` or `signal.reason`. */
export async function openWebSocketMessages(
  url: URL,
  protocols: readonly string[],
  { clock, signal }: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<WebSocketMessages> {
  signal?.throwIfAborted();
  const socket = new WebSocket(url, [...protocols]);
  socket.binaryType = 'arraybuffer';
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const leave = onAbort(signal, () => reject(signal?.reason));
  socket.addEventListener('open', () => resolve());
  socket.addEventListener('close', ({ code, reason }) => {
    const why =
      reason || (code === abnormalClose ? 'it was refused, or there was no answer' : `code ${code}`);
    reject(new ClientError('unreachable', `The WebSocket to ${url.host} was not opened: ${why}`));
  });
  // Its close says the same, and comes after it.
  socket.addEventListener('error', () => {});
  const messages = new WebSocketMessages(socket, clock);
  try {
    await promise;
    return messages;
  } catch (error) {
    socket.close();
    throw error;
  } finally {
    leave();
  }
}
