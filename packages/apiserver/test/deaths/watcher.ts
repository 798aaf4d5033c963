import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { History } from './history.ts';
import type { KillableServer } from './killable-server.ts';
import { collection } from './writers.ts';

/** Watches config maps over all deaths of a server: each time it goes on behind the last version that it was told. */
export class Watcher {
  readonly seen = new History();
  readonly #server: KillableServer;
  readonly #watching: Promise<void>;
  #version: string;
  #response: IncomingMessage | undefined;
  #isEnding = false;

  constructor(server: KillableServer, resourceVersion: string) {
    this.#server = server;
    this.#version = resourceVersion;
    this.#watching = this.#watch();
    this.#watching.catch(() => {});
  }

  get version(): number {
    return Number(this.#version);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    this.#response?.destroy();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#isEnding) {
      await this.#server.isUp;
      const response = await this.#open().catch(() => undefined);
      if (!response) {
        await delay(20);
        continue;
      }
      assert.equal(response.statusCode, 200);
      this.#response = response;
      await this.#read(response).catch((error: unknown) => {
        if (error instanceof assert.AssertionError) throw error;
      });
    }
  }

  /** A line that was cut by the server's death is told again. Rejects when the server goes. */
  async #read(response: IncomingMessage): Promise<void> {
    let rest = '';
    response.setEncoding('utf8');
    for await (const text of response) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(line);
    }
  }

  #open(): Promise<IncomingMessage> {
    const { url, agent } = this.#server;
    const path = `${url}${collection}?watch=true&allowWatchBookmarks=true&resourceVersion=${this.#version}`;
    return new Promise((resolve, reject) => {
      request(path, { agent }, resolve).on('error', reject).end();
    });
  }

  #take(line: string): void {
    const event: { type: EventType; object: ConfigMap } = JSON.parse(line);
    const { type, object } = event;
    assert.ok(object.metadata, `the watch was told ${line}`);
    const { name, resourceVersion } = object.metadata;
    const isNew = Number(resourceVersion) > this.version;
    assert.ok(isNew || type === 'BOOKMARK', `${type} ${name} at ${resourceVersion} after ${this.#version}`);
    this.#version = resourceVersion;
    if (type !== 'BOOKMARK')
      this.seen.add(name, { type, number: Number(object.data.number), resourceVersion });
  }
}

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';

interface ConfigMap {
  metadata: { name: string; resourceVersion: string };
  data: { number: string };
}
