import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { TestServer } from './test-server.ts';

/** One line of a watch. */
export interface WatchLine {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: objects of many kinds
  object: any;
}

/** Reads a watch line by line. */
export class WatchClient {
  readonly lines: WatchLine[] = [];
  readonly response: IncomingMessage;
  /** Pieces of a line that is not whole yet. */
  #rest: string[] = [];
  #ended = false;
  #changed = Promise.withResolvers<void>();

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('close', () => {
      this.#ended = true;
      this.#notify();
    });
  }

  static open(
    server: TestServer,
    path: string,
    accept = 'application/json',
    headers: Record<string, string> = {},
  ): Promise<WatchClient> {
    return new Promise((resolve, reject) => {
      const options = { agent: server.agent(), headers: { accept, ...headers } };
      request(`${server.apiserver.url}${path}`, options, (response) => resolve(new WatchClient(response)))
        .on('error', reject)
        .end();
    });
  }

  /** The first `count` lines, once they are there. Throws when the watch ends before. */
  async first(count: number): Promise<WatchLine[]> {
    while (this.lines.length < count) {
      if (this.#ended) throw new Error(`the watch ended after ${this.lines.length} of ${count} lines`);
      await this.#changed.promise;
    }
    return this.lines.slice(0, count);
  }

  async end(): Promise<void> {
    while (!this.#ended) await this.#changed.promise;
  }

  close(): void {
    this.response.destroy();
  }

  #take(text: string): void {
    if (!text.includes('\n')) {
      this.#rest.push(text);
      return;
    }
    const lines = [...this.#rest, text].join('').split('\n');
    this.#rest = [lines.pop() ?? ''];
    this.lines.push(...lines.map((line) => JSON.parse(line) as WatchLine));
    this.#notify();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
