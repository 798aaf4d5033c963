import assert from 'node:assert/strict';
import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { History, Write } from './history.ts';
import type { KillableServer } from './killable-server.ts';

export const collection = '/api/v1/namespaces/default/configmaps';

const objectsPerWriter = 4;
const padding = 'x'.repeat(500);

/** An object that says a number. */
export const configMap = (name: string, number: number) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  data: { number: String(number), padding },
});

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an object, or a status
  body: any;
}

/** Rejects where the server goes before it has answered. */
export function ask(server: KillableServer, method: string, path: string, body?: object): Promise<Answer> {
  const payload = body && JSON.stringify(body);
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = payload ? { 'content-type': type, 'content-length': Buffer.byteLength(payload) } : {};
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, { method, agent: server.agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      });
    });
    outgoing.on('error', reject).end(payload);
  });
}

/** What writers share. */
export interface WritersOptions {
  server: KillableServer;
  /** What they have written. */
  history: History;
  /** Of all together; they write less where the server or this machine is slower. */
  writesPerSecond: number;
  random: () => number;
}

/** Clients that each write to objects of their own, one write after another, until they are ended. */
export class Writers {
  readonly #options: WritersOptions;
  readonly #beganMs = performance.now();
  readonly #all: Promise<unknown>;
  #begun = 0;
  #isEnding = false;

  constructor(count: number, options: WritersOptions) {
    this.#options = options;
    this.#all = Promise.all(Array.from({ length: count }, (_, writer) => this.#write(writer)));
    this.#all.catch(() => {});
  }

  /** Resolves once every write is acknowledged, or known to have happened or not. Throws where one was lost. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#all;
  }

  async #write(writer: number): Promise<void> {
    const { server, random, history } = this.#options;
    while (!this.#isEnding) {
      await this.#turn();
      const number = history.newNumber();
      const name = `of-${writer}-${Math.floor(random() * objectsPerWriter)}`;
      const before = history.numberOf(name);
      const write: Write =
        before === undefined
          ? { type: 'ADDED', number }
          : random() < 0.8
            ? { type: 'MODIFIED', number }
            : { type: 'DELETED', number: before };
      await server.isUp;
      try {
        const resourceVersion = await this.#send(name, write);
        history.add(name, { ...write, resourceVersion });
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        await this.#find(name, write, before);
      }
    }
  }

  /** Waits until the next write is due. */
  async #turn(): Promise<void> {
    const dueMs = this.#beganMs + (this.#begun++ / this.#options.writesPerSecond) * 1_000;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await delay(waitMs);
  }

  async #send(name: string, { type, number }: Write): Promise<string | undefined> {
    const { server } = this.#options;
    const path = `${collection}/${name}`;
    const { status, body } = await (type === 'ADDED'
      ? ask(server, 'POST', collection, configMap(name, number))
      : type === 'MODIFIED'
        ? ask(server, 'PATCH', path, { data: { number: String(number) } })
        : ask(server, 'DELETE', path));
    assert.ok(status < 300, `${type} ${name}: ${status} ${JSON.stringify(body)}`);
    return type === 'DELETED' ? undefined : body.metadata.resourceVersion;
  }

  /** The server went before it answered: what it has afterwards is what was, or what was to be. */
  async #find(name: string, write: Write, before: number | undefined): Promise<void> {
    const { server, history } = this.#options;
    const after = write.type === 'DELETED' ? undefined : write.number;
    for (;;) {
      await delay(20);
      await server.isUp;
      const answer = await ask(server, 'GET', `${collection}/${name}`).catch(() => undefined);
      if (!answer) continue;
      const found = answer.status === 404 ? undefined : Number(answer.body.data.number);
      assert.ok(found === before || found === after, `${name} says ${found}, not ${before} or ${after}`);
      if (found === after) history.add(name, write);
      return;
    }
  }
}
