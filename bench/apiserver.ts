/**
 * The API server alone, in a process of its own, asked over HTTPS by one Node client: the rows of bench/README.md.
 *
 *   node bench/apiserver.ts
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { TestServer } from '../packages/apiserver/test/test-server.ts';
import { type Figure, printFigures } from './figure.ts';
import { percentile, timed } from './statistics.ts';

const collection = '/api/v1/namespaces/default/configmaps';
const padding = 'x'.repeat(900);
const parallel = 16;

interface Access {
  url: string;
  ca: string;
  cert: string;
  key: string;
  startMs: number;
}

/** One client of the server under measurement. */
class BenchClient {
  readonly #access: Access;
  readonly #agent: Agent;

  constructor(access: Access) {
    this.#access = access;
    const { ca, cert, key } = access;
    this.#agent = new Agent({ ca, cert, key, keepAlive: true });
  }

  async call(method: string, path: string, body?: object, type = 'application/json'): Promise<string> {
    const response = await this.#open(method, path, body, type);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if ((response.statusCode ?? 500) >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return text;
  }

  watch(path: string): Promise<IncomingMessage> {
    return this.#open('GET', `${path}?watch=true&resourceVersion=${this.version}`);
  }

  version = '';

  close(): void {
    this.#agent.destroy();
  }

  #open(method: string, path: string, body?: object, type = 'application/json'): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const payload = body && JSON.stringify(body);
      const headers = payload ? { 'content-type': type, 'content-length': Buffer.byteLength(payload) } : {};
      request(`${this.#access.url}${path}`, { method, agent: this.#agent, headers }, resolve)
        .on('error', reject)
        .end(payload);
    });
  }
}

const configMap = (name: string, group: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { group: String(group) } },
  data: { padding },
});

/** Runs `count` calls, `parallel` at once; calls per second. */
async function rate(count: number, step: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const startedMs = performance.now();
  const worker = async () => {
    while (next < count) await step(next++);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return (count / (performance.now() - startedMs)) * 1000;
}

const perSecond = (value: number) => `${value.toFixed(0)}/s`;
const row = (name: string, value: string, upstream: string): Figure => ({
  name,
  value,
  upstream,
  aim: 'at least the same',
});

async function measureObjects(client: BenchClient): Promise<Figure[]> {
  const create = await timed(300, (index) =>
    client.call('POST', collection, configMap(`one-${index}`, index % 10)),
  );
  const creates = await rate(3000, (index) =>
    client.call('POST', collection, configMap(`many-${index}`, index % 10)),
  );
  const get = await timed(300, (index) => client.call('GET', `${collection}/one-${index}`));
  const gets = await rate(4000, (index) => client.call('GET', `${collection}/many-${index % 3000}`));
  const merge = 'application/merge-patch+json';
  const patchOf = (index: number) => ({ metadata: { annotations: { round: String(index) } } });
  const patch = await timed(300, (index) =>
    client.call('PATCH', `${collection}/one-${index}`, patchOf(index), merge),
  );
  const patches = await rate(2000, (index) =>
    client.call('PATCH', `${collection}/many-${index}`, patchOf(index), merge),
  );
  const list = await timed(10, () => client.call('GET', collection));
  const selected = await timed(10, () => client.call('GET', `${collection}?labelSelector=group%3D3`));
  const p50 = (samples: number[]) => `${percentile(samples, 0.5).toFixed(1)} ms`;
  return [
    row(
      'create a 1 KB ConfigMap, p50; 16 at once',
      `${p50(create)}; ${perSecond(creates)}`,
      '2.3 ms; 1191/s',
    ),
    row('get, p50; 16 at once', `${p50(get)}; ${perSecond(gets)}`, '1.5 ms; 2226/s'),
    row('merge-patch, p50; 16 at once', `${p50(patch)}; ${perSecond(patches)}`, '2.3 ms; 1049/s'),
    row('list of 3300, p50', p50(list), '76 ms'),
    row('the same by a label that selects a tenth, p50', p50(selected), '33 ms'),
  ];
}

async function measureWatches(client: BenchClient): Promise<Figure> {
  const watchers = 100;
  const changes = 200;
  client.version = JSON.parse(await client.call('GET', `${collection}?limit=1`)).metadata.resourceVersion;
  const streams = await Promise.all(Array.from({ length: watchers }, () => client.watch(collection)));
  const startedMs = performance.now();
  const seen = streams.map(async (stream) => {
    let lines = 0;
    for await (const chunk of stream) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
      if (lines >= changes) return;
    }
  });
  await rate(changes, (index) => client.call('POST', collection, configMap(`watched-${index}`, 0)));
  await Promise.all(seen);
  const eventsPerSecond = (watchers * changes * 1000) / (performance.now() - startedMs);
  return row('100 watchers × 200 changes', `${eventsPerSecond.toFixed(0)} events/s`, '42,000 events/s');
}

function residentMebibytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) / 1024;
}

async function serve(): Promise<void> {
  const startedMs = performance.now();
  const server = await TestServer.start();
  const startMs = performance.now() - startedMs;
  const { authority, admin, apiserver } = server;
  process.send?.({ url: apiserver.url, ca: authority.cert, ...admin, startMs } satisfies Access);
  await once(process, 'disconnect');
  await server.close();
}

async function measure(): Promise<void> {
  const child: ChildProcess = fork(import.meta.filename, ['serve']);
  const [access] = (await once(child, 'message')) as [Access];
  const atStart = residentMebibytes(child.pid!);
  const client = new BenchClient(access);
  const figures = [
    row('start, with keys and certificates made', `${access.startMs.toFixed(0)} ms`, '–'),
    ...(await measureObjects(client)),
    await measureWatches(client),
  ];
  const after = residentMebibytes(child.pid!);
  figures.push(
    row(
      'memory (PSS), at start; after all this',
      `${atStart.toFixed(0)}; ${after.toFixed(0)} MiB`,
      '286 MiB',
    ),
  );
  client.close();
  child.disconnect();
  await once(child, 'exit');
  printFigures(figures);
}

await (process.argv[2] === 'serve' ? serve() : measure());
