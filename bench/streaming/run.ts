/**
 * Streaming, hop by hop, with one client in one run: our CRI streaming server beside containerd's, our kubelet, our
 * API server; SPDY beside WebSocket beside SPDY inside a WebSocket; and end to end through kubectl.
 *
 *   node bench/streaming/run.ts [--mebibytes 128] [--rounds 20] [--turns 3] [exec attach forward logs]
 *
 * The sides take turns; each figure is the median of its turns.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { MeasuredNode } from '../node.ts';
import { percentile } from '../statistics.ts';
import { kubectlForwardRoad, kubectlRoad } from './kubectl-road.ts';
import { followLatency, liveThroughput, logRoads, startLines, storedThroughput } from './logs.ts';
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

// As in the processes of a node (spawn-role.ts): else this client collects its whole heap every few blocks.
setFlagsFromString('--scavenger-max-new-space-capacity-mb=4');

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
    const isCompared = peer !== undefined && peer !== road && !/kubectl/.test(road.entry);
    const cells = columns.map(({ digits }, index) => {
      const own = median(road, index);
      const share = isCompared ? own / median(peer, index) : Number.NaN;
      return `${own.toFixed(digits)}${Number.isNaN(share) ? '' : ` (${share.toFixed(2)}×)`}`;
    });
    console.log(`| ${road.entry} | ${road.transport} | ${cells.join(' | ')} |`);
  }
}

function commandRoads({ containerd, wherry, kubelet, apiServer, kubectl }: Targets): Road[] {
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
    kubectlRoad(kubectl, spdy),
    kubectlRoad(kubectl, webSocketV5),
  ];
}

function forwardRoads({ containerd, wherry, kubelet, apiServer, kubectl }: Targets): ForwardRoad[] {
  const [spdy] = forwardTransports;
  return [
    criForwardRoad(containerd, spdy),
    criForwardRoad(wherry, spdy),
    ...forwardTransports.map((how) => httpForwardRoad(kubelet, how)),
    ...forwardTransports.map((how) => httpForwardRoad(apiServer, how)),
    ...forwardTransports.map((how) => kubectlForwardRoad(kubectl, how)),
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
  const roads = logRoads(node, targets);
  await startLines(node);
  await table('logs -f', roads, [
    { title: 'stored lines MiB/s', digits: 0, measure: (road) => storedThroughput(road) },
    { title: 'lines as written MiB/s', digits: 0, measure: (road) => liveThroughput(node, road) },
    {
      title: 'typed → 64 KiB out p50 ms',
      digits: 1,
      measure: (road) => followLatency(road, httpRoad(targets.apiServer, commandTransports.spdy), rounds),
    },
  ]);
}

const node = await MeasuredNode.start();
try {
  await measure(node);
} finally {
  await node.close();
}
