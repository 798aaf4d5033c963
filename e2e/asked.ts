/** A service that is asked all the time, by connections of their own and by ones that last, and what of it was lost. */
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { testImage } from './image.ts';

/** Between two requests at one door. */
const askEveryMs = 100;
const answerTimeoutMs = 5_000;

/** Somebody of the machine who asks at one address, each time by a connection of its own. */
export class Asker {
  readonly lost: string[] = [];
  answered = 0;
  readonly #url: string;
  readonly #open = new Set<Promise<void>>();
  readonly #everyMs: number;
  #isOver = false;
  #ended: Promise<void>;

  constructor(url: string, everyMs: number = askEveryMs) {
    this.#url = url;
    this.#everyMs = everyMs;
    this.#ended = this.#goOn();
  }

  /** Ends it, once all that was asked is answered or lost. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
    await Promise.all(this.#open);
  }

  async #goOn(): Promise<void> {
    while (!this.#isOver) {
      const asked: Promise<void> = this.#ask().finally(() => this.#open.delete(asked));
      this.#open.add(asked);
      await delay(this.#everyMs);
    }
  }

  #ask(): Promise<void> {
    const began = new Date().toISOString();
    return new Promise((resolve) => {
      const lost = (error: Error) => {
        this.lost.push(`${began} ${this.#url}: ${error.message}`);
        resolve();
      };
      const request = get(this.#url, { agent: false, timeout: answerTimeoutMs }, (response) => {
        response.resume();
        response.once('error', lost);
        response.once('end', () => {
          if (response.statusCode !== 200) return lost(new Error(`status ${response.statusCode}`));
          this.answered++;
          resolve();
        });
      });
      request.once('timeout', () => request.destroy(new Error(`no answer within ${answerTimeoutMs} ms`)));
      request.once('error', lost);
    });
  }
}

/** A connection that lasts, to a server which says again what it hears. */
export class LastingConnection {
  /** How it ended, if it did. */
  ended: string | undefined;
  heard = 0;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line !== String(++this.heard)) this.ended ??= `heard ${line} instead of ${this.heard}`;
    });
    socket.on('error', ({ message }) => {
      this.ended ??= message;
    });
    socket.on('close', () => {
      this.ended ??= 'closed';
    });
  }

  static async to(host: string, port: number): Promise<LastingConnection> {
    const socket = connect({ host, port });
    await once(socket, 'connect');
    const connection = new LastingConnection(socket);
    connection.#talk();
    return connection;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #talk(): Promise<void> {
    for (let number = 1; this.#socket.writable; number++) {
      this.#socket.write(`${number}\n`);
      await delay(askEveryMs);
    }
  }
}

/** A container that asks at an address, a few times a second, and writes a line of each: `1 answered`, `2 lost`. Names are asked for again after 5 s. */
export const askingContainer = (name: string, url: string) => ({
  ...containerOf(name),
  command: [
    ...['sh', '-c'],
    `n=0; while true; do n=$((n+1)); said=$(timeout 15 wget -qO /dev/null ${url} 2>&1) && echo $n answered || echo $n lost $said; usleep 150000; done`,
  ],
});

/** A container that keeps one connection, ends with it, and writes what it hears: the numbers from 1 on. */
export const connectedContainer = (name: string, host: string, port: number) => ({
  ...containerOf(name),
  command: [
    ...['sh', '-c'],
    `n=0; while true; do n=$((n+1)); echo $n; usleep 200000; done | nc ${host} ${port}`,
  ],
});

/** A container of the test image. */
const containerOf = (name: string) => ({ name, image: testImage, imagePullPolicy: 'Never' });
