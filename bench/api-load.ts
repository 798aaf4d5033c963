/**
 * What many watchers and many objects cost the API server of a whole node, its controllers beside it:
 *
 *   node bench/api-load.ts [--watchers 5000] [--objects 50000] [rest watchers objects]
 */
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { type Figure, printFigures } from './figure.ts';
import { pssMebibytes } from './memory/footprint.ts';
import { MeasuredNode } from './node.ts';
import { cpuMs } from './processor-time.ts';
import { percentile } from './statistics.ts';

const collection = '/api/v1/namespaces/default/configmaps';
/** Watches of one client, as many as a controller has: they share a connection. */
const watchesPerClient = 10;
const changes = 20;
const writersAtOnce = 16;
const readersAtOnce = 10;
const pageLimit = 500;
const smallCluster = 300;
const restMs = 40_000;
const measured = ['apiserver', 'controllers'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    watchers: { type: 'string', default: '5000' },
    objects: { type: 'string', default: '50000' },
  },
});
const wants = (part: string) => positionals.length === 0 || positionals.includes(part);

const configMap = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  data: { padding: 'x'.repeat(900) },
});

/** Processes of the node by their part. */
type Pids = Map<string, number>;

async function pidsOf(node: MeasuredNode): Promise<Pids> {
  return new Map((await node.processes()).map(({ role, pid }) => [role, pid]));
}

function memoryOf(pids: Pids): string {
  const each = measured.map((role) => [role, pssMebibytes(pids.get(role)!)] as const);
  const total = each.reduce((sum, [, mebibytes]) => sum + mebibytes, 0);
  return `${total.toFixed(0)} MiB (${each.map(([role, mebibytes]) => `${role} ${mebibytes.toFixed(0)}`).join(', ')})`;
}

/** The most that a process has had in memory, in MiB. */
const peakOf = (pid: number) =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Makes that many objects; how many a second. */
async function fill(node: MeasuredNode, name: string, count: number): Promise<number> {
  let next = 0;
  const beganMs = performance.now();
  const work = async () => {
    while (next < count) await node.request('POST', collection, configMap(`${name}-${next++}`));
  };
  await Promise.all(Array.from({ length: writersAtOnce }, work));
  return (count / (performance.now() - beganMs)) * 1_000;
}

/** API server and controllers at rest, in a small cluster. */
async function measureRest(node: MeasuredNode, pids: Pids): Promise<Figure[]> {
  await fill(node, 'small', smallCluster);
  await sleep(restMs);
  const value = memoryOf(pids);
  return [figure(`memory at rest with ${smallCluster} objects (PSS)`, value, '< 120 MiB')];
}

/** Clients that watch, ten times each over one connection. */
async function measureWatchers(node: MeasuredNode, pids: Pids): Promise<Figure[]> {
  const count = Number(values.watchers);
  const apiserver = pids.get('apiserver')!;
  const config = parse(readFileSync(node.kubeconfig, 'utf8'));
  const decode = (text: string) => Buffer.from(text, 'base64');
  const access = {
    ca: decode(config.clusters[0].cluster['certificate-authority-data']),
    cert: decode(config.users[0].user['client-certificate-data']),
    key: decode(config.users[0].user['client-key-data']),
  };
  const before = memoryOf(pids);
  const list = JSON.parse(await node.request('GET', `${collection}?limit=1`));
  const path = `${collection}?watch=true&resourceVersion=${list.metadata.resourceVersion}`;
  const told = Array.from({ length: changes }, () => [] as number[]);
  const all = Promise.withResolvers<void>();
  let waiting = count * changes;
  const open = (session: http2.ClientHttp2Session) => {
    const stream = session.request({ ':path': path });
    let line = 0;
    stream.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
        told[line++]?.push(performance.now());
        if (--waiting === 0) all.resolve();
      }
    });
    return new Promise<void>((resolve, reject) => {
      stream.on('error', reject);
      stream.on('response', (headers) => {
        if (headers[':status'] === 200) resolve();
        else reject(new Error(`a watch was answered ${headers[':status']}`));
      });
    });
  };
  const openedMs = performance.now();
  const sessions: http2.ClientHttp2Session[] = [];
  while (sessions.length * watchesPerClient < count) {
    const session = http2.connect(node.server, access);
    sessions.push(session);
    await Promise.all(Array.from({ length: watchesPerClient }, () => open(session)));
  }
  const openingMs = performance.now() - openedMs;
  await sleep(5_000);
  const during = memoryOf(pids);
  const cpuBefore = cpuMs(apiserver);
  const written: number[] = [];
  for (let change = 0; change < changes; change++) {
    written.push(performance.now());
    await node.request('POST', collection, configMap(`watched-${change}`));
    const seen = told[change]!;
    while (seen.length < count) await sleep(5);
  }
  await all.promise;
  const cpu = cpuMs(apiserver) - cpuBefore;
  const lastMs = told.map((seen, change) => Math.max(...seen) - written[change]!);
  const firstMs = told.map((seen, change) => Math.min(...seen) - written[change]!);
  for (const session of sessions) session.destroy();
  await sleep(restMs);
  return [
    figure(
      `${count} watches of ${sessions.length} clients: until all are open`,
      `${(openingMs / 1000).toFixed(1)} s`,
    ),
    figure('their memory (PSS): before; with them', `${before}; ${during}`),
    figure(
      'a change → told to the first; to the last of them, p50',
      `${percentile(firstMs, 0.5).toFixed(0)} ms; ${percentile(lastMs, 0.5).toFixed(0)} ms`,
    ),
    figure('processor time of an event', `${((cpu * 1_000) / (count * changes)).toFixed(1)} µs`),
    figure('memory (PSS) after they have gone', memoryOf(pids)),
  ];
}

/** Everything, as a client that begins reads it. */
async function readAll(node: MeasuredNode): Promise<number> {
  let count = 0;
  let next: string | undefined = '';
  while (next !== undefined) {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`;
    const page: { items: unknown[]; metadata: { continue?: string } } = JSON.parse(
      await node.request('GET', `${collection}?limit=${pageLimit}${more}`),
    );
    count += page.items.length;
    next = page.metadata.continue || undefined;
  }
  return count;
}

async function measureObjects(node: MeasuredNode, pids: Pids): Promise<Figure[]> {
  const count = Number(values.objects);
  const rate = await fill(node, 'many', count);
  const filled = memoryOf(pids);
  const beganMs = performance.now();
  const counts = await Promise.all(Array.from({ length: readersAtOnce }, () => readAll(node)));
  const pagedMs = performance.now() - beganMs;
  if (counts.some((each) => each < count)) throw new Error(`${count} objects were made, ${counts} read`);
  const wholeBeganMs = performance.now();
  await Promise.all([0, 1].map(() => node.request('GET', collection)));
  const wholeMs = performance.now() - wholeBeganMs;
  await sleep(restMs);
  const peaks = measured.map((role) => `${role} ${peakOf(pids.get(role)!).toFixed(0)}`);
  return [
    figure(`${count} config maps of 1 KB are made`, `${rate.toFixed(0)}/s`),
    figure(
      'memory (PSS) right after; after the reads below, and a rest',
      `${filled}; ${memoryOf(pids)}`,
      '2 GiB',
    ),
    figure('the most that each has had (resident)', `${peaks.join(', ')} MiB`, '2 GiB'),
    figure(
      `${readersAtOnce} clients read them all, in pages of ${pageLimit}`,
      `${(pagedMs / 1000).toFixed(1)} s`,
    ),
    figure('two clients read them all at once', `${(wholeMs / 1000).toFixed(1)} s`),
  ];
}

const figure = (name: string, value: string, aim = ''): Figure => ({ name, value, upstream: '–', aim });

const node = await MeasuredNode.start();
try {
  const pids = await pidsOf(node);
  printFigures([
    ...(wants('rest') ? await measureRest(node, pids) : []),
    ...(wants('watchers') ? await measureWatchers(node, pids) : []),
    ...(wants('objects') ? await measureObjects(node, pids) : []),
  ]);
} finally {
  await node.close();
}
