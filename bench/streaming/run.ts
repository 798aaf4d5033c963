/**
 * Streaming, hop by hop, with one client in one run: our CRI streaming server beside containerd's, our kubelet, our
 * API server; SPDY beside WebSocket beside SPDY inside a WebSocket.
 *
 *   node bench/streaming/run.ts [--mebibytes 128] [--rounds 20] [--turns 3] [exec attach forward logs]
 *
 * The sides take turns; each figure is the median of its turns.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MeasuredNode } from '../node.ts';
import { percentile } from '../statistics.ts';
import { followLatency, followThroughput } from './logs.ts';
import * as measures from './measures.ts';
import {
  commandTransports,
  criForwardRoad,
  criRoad,
  type ForwardRoad,
  forwardTransports,
  httpForwardRoad,
  httpRoad,
  type Road,
} from './road.ts';
import { startTargets, type Targets } from './targets.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mebibytes: { type: 'string', default: '128' },
    rounds: { type: 'string', default: '20' },
    turns: { type: 'string', default: '3' },
  },
});
const bytes = Number(values.mebibytes) * 1024 ** 2;
const attachBytes = Math.min(bytes, 32 * 1024 ** 2);
const rounds = Number(values.rounds);
const turns = Number(values.turns);
const figureTimeoutMs = 30_000;
const wants = (part: string) => positionals.length === 0 || positionals.includes(part);

interface Column<T> {
  title: string;
  digits: number;
  measure(road: T): Promise<number>;
}

/** NaN, and a word on stderr, when a side fails or takes too long: the others are still measured. */
async function figureOf(
  measuring: Promise<number>,
  road: { entry: string; transport: string },
): Promise<number> {
  const clock = new AbortController();
  const tooLong = delay(figureTimeoutMs, undefined, { signal: clock.signal }).then(() => {
    throw new Error(`nothing within ${figureTimeoutMs / 1000} s`);
  });
  try {
    return await Promise.race([measuring, tooLong]);
  } catch (error) {
    console.error(`${road.entry}, ${road.transport}: ${(error as Error).message}`);
    return Number.NaN;
  } finally {
    clock.abort();
    tooLong.catch(() => {});
  }
}

/** Measures every road in turns and prints medians; the first road of a transport is what others are compared with. */
async function table<T extends { entry: string; transport: string }>(
  title: string,
  roads: T[],
  columns: Column<T>[],
): Promise<void> {
  const samples = new Map<T, number[][]>(roads.map((road) => [road, columns.map(() => [])]));
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, column] of columns.entries()) {
      for (const road of roads) samples.get(road)?.[index]?.push(await figureOf(column.measure(road), road));
    }
  }
  const median = (road: T, index: number) => percentile(samples.get(road)?.[index] ?? [], 0.5);
  console.log(`\n| ${title} | over | ${columns.map((column) => column.title).join(' | ')} |`);
  console.log(`| --- | --- | ${columns.map(() => '--:').join(' | ')} |`);
  for (const road of roads) {
    const peer = roads.find(
      ({ entry, transport }) => /containerd/.test(entry) && transport === road.transport,
    );
    const cells = columns.map(({ digits }, index) => {
      const own = median(road, index);
      const ratio = peer && peer !== road ? ` (${(own / median(peer, index)).toFixed(2)}×)` : '';
      return `${own.toFixed(digits)}${ratio}`;
    });
    console.log(`| ${road.entry} | ${road.transport} | ${cells.join(' | ')} |`);
  }
}

function commandRoads({ containerd, wherry, kubelet, apiServer }: Targets): Road[] {
  const { spdy, webSocketV4, webSocketV5 } = commandTransports;
  return [
    criRoad(containerd, spdy),
    criRoad(wherry, spdy),
    criRoad(containerd, webSocketV4),
    criRoad(wherry, webSocketV4),
    criRoad(wherry, webSocketV5),
    httpRoad(kubelet, spdy),
    httpRoad(kubelet, webSocketV5),
    httpRoad(apiServer, spdy),
    httpRoad(apiServer, webSocketV5),
  ];
}

function forwardRoads({ containerd, wherry, kubelet, apiServer }: Targets): ForwardRoad[] {
  const [spdy] = forwardTransports;
  return [
    criForwardRoad(containerd, spdy),
    criForwardRoad(wherry, spdy),
    ...forwardTransports.map((how) => httpForwardRoad(kubelet, how)),
    ...forwardTransports.map((how) => httpForwardRoad(apiServer, how)),
  ];
}

async function measure(node: MeasuredNode): Promise<void> {
  const targets = await startTargets(node, bytes);
  try {
    await Promise.race([measureAll(node, targets), interrupted()]);
  } finally {
    await targets.close();
  }
}

/** Rejects on Ctrl-C, so that nothing is left behind. */
function interrupted(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
    }
  });
}

async function measureAll(node: MeasuredNode, targets: Targets): Promise<void> {
  if (wants('exec')) {
    await table('exec', commandRoads(targets), [
      { title: 'stdout MiB/s', digits: 0, measure: (road) => measures.execOutput(road, bytes) },
      { title: 'stdin MiB/s', digits: 0, measure: (road) => measures.execInput(road, bytes) },
      { title: '`true` p50 ms', digits: 1, measure: (road) => measures.execLatency(road, rounds) },
    ]);
  }
  if (wants('attach')) {
    await table('attach', commandRoads(targets), [
      { title: 'stdout MiB/s', digits: 0, measure: (road) => measures.attachOutput(road, attachBytes) },
      { title: 'first bytes p50 ms', digits: 1, measure: (road) => measures.attachLatency(road, rounds) },
    ]);
  }
  if (wants('forward')) {
    await table('port-forward', forwardRoads(targets), [
      { title: 'from the pod MiB/s', digits: 0, measure: (road) => measures.forwardOutput(road, bytes) },
      { title: 'to the pod MiB/s', digits: 0, measure: (road) => measures.forwardInput(road, bytes) },
      {
        title: 'connect and echo p50 ms',
        digits: 1,
        measure: (road) => measures.forwardLatency(road, rounds),
      },
    ]);
  }
  if (wants('logs')) await measureLogs(node, targets);
}

async function measureLogs(node: MeasuredNode, targets: Targets): Promise<void> {
  const { stored, live } = await followThroughput(node, targets, 500_000);
  const road = httpRoad(targets.apiServer, commandTransports.spdy);
  const typedMs = await followLatency(targets, road, rounds);
  console.log('\n| logs -f through the API server | |\n| --- | --: |');
  console.log(`| stored 98-byte lines | ${stored.toFixed(0)} MiB/s |`);
  console.log(`| lines as they are written | ${live.toFixed(0)} MiB/s |`);
  console.log(`| typed into the container → 64 KiB out, p50 | ${typedMs.toFixed(1)} ms |`);
}

const node = await MeasuredNode.start();
try {
  await measure(node);
} finally {
  await node.close();
}
