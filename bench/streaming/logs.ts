import { spawn } from 'node:child_process';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ByteSink } from '@wherry/bytes';
import { type MeasuredNode, podManifest } from '../node.ts';
import { mebibytesPerSecond, percentile, timed } from '../statistics.ts';
import { blockBytes } from './measures.ts';
import type { Road } from './road.ts';
import type { Targets } from './targets.ts';

const lineBytes = 98;
const lineCount = 500_000;
const bytes = lineCount * lineBytes;
const storedPod = 'bench-lines';
const livePod = 'bench-live';
/** Time for `logs -f` to have begun. */
const settleMs = 1_000;

/** What is to be followed. */
export interface Followed {
  pod: string;
  container: string;
  /** Begins so many lines before the end; all of them when left out. */
  tailLines?: number;
}

/** One way to follow a log. */
export interface LogRoad {
  entry: string;
  transport: string;
  follow(what: Followed): Promise<Readable>;
}

/** The hops that have logs: a CRI runtime writes them and serves none. */
export function logRoads(node: MeasuredNode, { kubelet, apiServer }: Targets): LogRoad[] {
  const tail = ({ tailLines }: Followed) => (tailLines === undefined ? '' : `&tailLines=${tailLines}`);
  return [
    {
      entry: kubelet.name,
      transport: 'HTTP/1.1',
      follow: (what) =>
        get(kubelet, `/containerLogs/default/${what.pod}/${what.container}?follow=true${tail(what)}`),
    },
    {
      entry: apiServer.name,
      transport: 'HTTP/1.1',
      follow: (what) => {
        const path = `/api/v1/namespaces/default/pods/${what.pod}/log`;
        return get(apiServer, `${path}?follow=true&container=${what.container}${tail(what)}`);
      },
    },
    {
      entry: 'kubectl, wherry API server',
      transport: 'HTTP/1.1',
      follow: async (what) => kubectl(node, what),
    },
  ];
}

function get({ forwardUrl, access }: Targets['kubelet'], path: string): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const options = { ...access.tls, headers: access.headers, agent: false as const };
    https.get(new URL(path, forwardUrl), options, resolve).on('error', reject);
  });
}

function kubectl(node: MeasuredNode, { pod, container, tailLines = -1 }: Followed): Readable {
  const args = ['logs', '-f', pod, '-c', container, `--tail=${tailLines}`];
  const child = spawn('kubectl', args, { env: node.environment(), stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.once('close', () => child.kill('SIGKILL'));
  return child.stdout;
}

/** Starts a container that writes its lines, and waits until it has. */
export async function startLines(node: MeasuredNode): Promise<void> {
  await writeLines(node, storedPod);
  await delay(settleMs);
}

async function writeLines(node: MeasuredNode, pod: string): Promise<void> {
  const script = `yes ${'x'.repeat(lineBytes - 1)} | head -n ${lineCount}; sleep 86400`;
  await node.request('POST', '/api/v1/namespaces/default/pods', podManifest(pod, ['sh', '-c', script]));
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=60s']);
}

/** MiB/s of `logs -f` over a log that is there already. */
export async function storedThroughput(road: LogRoad): Promise<number> {
  return readAll(await road.follow({ pod: storedPod, container: 'main' }));
}

/** MiB/s of `logs -f` of a container that has just begun to write as fast as it can. */
export async function liveThroughput(node: MeasuredNode, road: LogRoad): Promise<number> {
  await writeLines(node, livePod);
  try {
    return await readAll(await road.follow({ pod: livePod, container: 'main' }));
  } finally {
    await node.kubectl(['delete', 'pod', livePod, '--grace-period=0', '--force']);
  }
}

async function readAll(log: Readable): Promise<number> {
  const before = performance.now();
  await readBytes(log, bytes);
  log.destroy();
  return mebibytesPerSecond(bytes, performance.now() - before);
}

/** Milliseconds from a line typed into a container until the block that it asks for is out of `logs -f`, p50. */
export async function followLatency(road: LogRoad, attach: Road, rounds: number): Promise<number> {
  const session = await attach.attach({ stdin: true, stdout: true });
  session.exitCode.catch(() => {});
  session.stdout?.receive({ data() {}, end() {}, closed() {} });
  const log = await road.follow({ pod: 'bench', container: 'attach', tailLines: 0 });
  try {
    await delay(settleMs);
    await typed(session.stdin!, log);
    return percentile(await timed(rounds, () => typed(session.stdin!, log)), 0.5);
  } finally {
    log.destroy();
    session.close();
  }
}

/** The container prints one block and a newline, and all of it comes out again. */
async function typed(stdin: ByteSink, log: Readable): Promise<void> {
  stdin.write(Buffer.from('1\n'));
  await readBytes(log, blockBytes + 1);
}

/** Resolves once `wanted` bytes came. */
function readBytes(log: Readable, wanted: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const ended = () => finish(new Error(`logs -f ended after ${received} of ${wanted} bytes`));
    const take = (chunk: Buffer) => {
      received += chunk.length;
      if (received >= wanted) finish(null);
    };
    const finish = (error: Error | null) => {
      log.pause();
      log.removeListener('data', take).removeListener('close', ended).removeListener('error', finish);
      if (error) reject(error);
      else if (received !== wanted) reject(new Error(`logs -f: ${received} of ${wanted} bytes came`));
      else resolve();
    };
    log.on('data', take).once('close', ended).once('error', finish);
    log.resume();
  });
}
