import { connect, type Socket } from 'node:net';
import { type BusCall, type BusMessage, decodeMessage, encodeCall, messageTypes } from './bus-message.ts';
import type { BusValue } from './bus-values.ts';

/** A call that the other side refused; `name` is what it calls the reason. */
export class BusError extends Error {
  /** `org.freedesktop.systemd1.NoSuchUnit` and the like. */
  readonly errorName: string;

  constructor(errorName: string, text: string) {
    super(text === '' ? errorName : text);
    this.name = 'BusError';
    this.errorName = errorName;
  }
}

interface Pending {
  resolve(body: BusValue[]): void;
  reject(error: Error): void;
}

const welcome = /^OK [0-9a-f]+\r\n/;
const welcomeBytesMax = 256;

/**
 * A connection by D-Bus to one other side, without a bus between: what is called is that side's own. It keeps no process
 * alive unless an answer is waited for.
 */
export class BusConnection {
  readonly #socket: Socket;
  readonly #onSignal: (signal: BusMessage) => void;
  readonly #pending = new Map<number, Pending>();
  readonly #ended = Promise.withResolvers<Error>();
  #received: Buffer = Buffer.alloc(0);
  #isWelcome = false;
  #serial = 0;
  #holds = 0;

  private constructor(socket: Socket, onSignal: (signal: BusMessage) => void) {
    this.#socket = socket;
    this.#onSignal = onSignal;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#end(error));
    socket.on('close', () => this.#end(new Error('the connection has ended')));
  }

  /** Connects to a socket, as the user of this process. Signals are told as they come. Rejects where nobody answers. */
  static async open(
    socketPath: string,
    onSignal: (signal: BusMessage) => void = () => {},
  ): Promise<BusConnection> {
    const socket = connect(socketPath);
    const connection = new BusConnection(socket, onSignal);
    const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
    // In one piece: systemd leaves a call lie that comes along with BEGIN, until more comes.
    socket.write(`\0AUTH EXTERNAL ${user}\r\nBEGIN\r\n`);
    await connection.#wait(0);
    return connection;
  }

  /** Settles with the reason when the connection has ended. */
  get ended(): Promise<Error> {
    return this.#ended.promise;
  }

  /** Rejects with `BusError`, or with what ended the connection. */
  call(call: BusCall): Promise<BusValue[]> {
    this.#serial += 1;
    const answer = this.#wait(this.#serial);
    this.#socket.write(encodeCall(this.#serial, call));
    return answer;
  }

  /** Keeps the process alive for a signal that is waited for, until what it answers is called. */
  hold(): () => void {
    this.#holds += 1;
    this.#socket.ref();
    return () => {
      this.#holds -= 1;
      this.#rest();
    };
  }

  close(): void {
    this.#socket.destroy();
  }

  /** For the answer to a call; 0 is the welcome. */
  #wait(serial: number): Promise<BusValue[]> {
    if (this.#socket.destroyed) return Promise.reject(new Error('the connection has ended'));
    const { promise, ...pending } = Promise.withResolvers<BusValue[]>();
    this.#pending.set(serial, pending);
    this.#socket.ref();
    return promise;
  }

  #take(chunk: Buffer): void {
    try {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      if (!this.#isWelcome && !this.#takeWelcome()) return;
      for (let next = decodeMessage(this.#received); next; next = decodeMessage(this.#received)) {
        this.#received = this.#received.subarray(next.length);
        this.#deal(next.message);
      }
    } catch (error) {
      this.#end(error as Error);
    }
  }

  #takeWelcome(): boolean {
    const text = this.#received.toString('latin1', 0, welcomeBytesMax);
    const line = welcome.exec(text)?.[0];
    if (line === undefined) {
      if (text.includes('\r\n') || text.length === welcomeBytesMax)
        throw new Error(`it did not let this process in: ${text.trim()}`);
      return false;
    }
    this.#received = this.#received.subarray(line.length);
    this.#isWelcome = true;
    this.#settle(0)?.resolve([]);
    return true;
  }

  #deal(message: BusMessage): void {
    const { type, replySerial } = message;
    if (type === messageTypes.signal) this.#onSignal(message);
    if (replySerial === undefined) return;
    const pending = this.#settle(replySerial);
    if (type === messageTypes.reply) pending?.resolve(message.readBody());
    if (type === messageTypes.error) {
      const [text] = message.readBody();
      pending?.reject(new BusError(message.errorName ?? '', typeof text === 'string' ? text : ''));
    }
  }

  #settle(serial: number): Pending | undefined {
    const pending = this.#pending.get(serial);
    this.#pending.delete(serial);
    this.#rest();
    return pending;
  }

  #rest(): void {
    if (this.#pending.size === 0 && this.#holds === 0) this.#socket.unref();
  }

  #end(error: Error): void {
    this.#socket.destroy();
    const waiting = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of waiting) reject(error);
    this.#ended.resolve(error);
  }
}
