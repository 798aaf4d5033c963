import { readFileSync } from 'node:fs';
import { createUntilRunning, deletePods } from '../pods.ts';
import {
  execIn,
  execOut,
  execTrueMs,
  forwardBulk,
  forwardGetMs,
  type TransportName,
  transportNames,
} from '../session-measures.ts';
import type { Side } from '../side.ts';
import { percentile, timed } from '../statistics.ts';
import {
  createsPerSecond,
  getsPerSecond,
  listMs,
  loneCreateP99Ms,
  patchesPerSecond,
  watchedEventsPerSecond,
} from './object-load.ts';
import { untilGoneMs, untilReadyMs, untilRolledMs } from './roll-out.ts';

/** One thing that is measured on both sides, turn by turn. */
export interface Measure {
  name: string;
  unit: string;
  /** Whether more is better, as with throughput. */
  moreIsBetter: boolean;
  /** Part of its name by which it is chosen on the command line. */
  part: 'pods' | 'exec' | 'forward' | 'objects' | 'roll-out' | 'memory';
  run(side: Side): Promise<number>;
}

const time = (part: Measure['part'], name: string, run: Measure['run']): Measure => ({
  ...{ part, name, run },
  unit: 'ms',
  moreIsBetter: false,
});

const throughput = (part: Measure['part'], name: string, run: Measure['run'], unit = 'MiB/s'): Measure => ({
  ...{ part, name, run, unit },
  moreIsBetter: true,
});

const titles: Record<TransportName, string> = { websocket: 'WebSocket', spdy: 'SPDY' };

const sessionMeasures = (transport: TransportName): Measure[] => [
  time('exec', `kubectl exec -- true, ${titles[transport]}`, (side) => execTrueMs(side, transport, 8)),
  throughput('exec', `exec out, 256 MiB, ${titles[transport]}`, (side) => execOut(side, transport, 256)),
  throughput('exec', `exec in, 256 MiB, ${titles[transport]}`, (side) => execIn(side, transport, 256)),
  throughput('forward', `port-forward, 256 MiB, ${titles[transport]}`, (side) =>
    forwardBulk(side, transport),
  ),
  time('forward', `port-forward, small GET, ${titles[transport]}`, (side) =>
    forwardGetMs(side, transport, 40),
  ),
];

const configMaps = '/api/v1/namespaces/default/configmaps';
let made = 0;

async function createMs(side: Side): Promise<number> {
  const names: string[] = [];
  const samples = await timed(100, () => {
    const name = `bench-${made++}`;
    names.push(name);
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name },
      data: { padding: 'x'.repeat(900) },
    };
    return side.api.request('POST', configMaps, object);
  });
  for (const name of names) await side.api.request('DELETE', `${configMaps}/${name}`);
  return percentile(samples, 0.5);
}

/** Proportional share of all processes, in MiB. */
async function memoryMebibytes(side: Side): Promise<number> {
  const processes = await side.processes();
  const kibibytes = processes.map(({ pid }) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]),
  );
  return kibibytes.reduce((total, value) => total + value, 0) / 1024;
}

/** Everything that is measured, in the order of the turns. Memory comes last: it is what the rest leaves behind. */
export const measures: Measure[] = [
  time('pods', 'create → Running, one pod', async (side) => {
    const [ms = Number.NaN] = await createUntilRunning(side, ['single']);
    await deletePods(side, ['single']);
    return ms;
  }),
  time('pods', '10 pods at once, the last Running', async (side) => {
    const names = Array.from({ length: 10 }, (_, index) => `many-${index}`);
    const samples = await createUntilRunning(side, names);
    await deletePods(side, names);
    return Math.max(...samples);
  }),
  ...transportNames.flatMap(sessionMeasures),
  time('objects', 'create a 1 KB ConfigMap, alone', createMs),
  time('objects', 'the same, 99th percentile', loneCreateP99Ms),
  throughput('objects', 'create, 16 at once', createsPerSecond, '/s'),
  throughput('objects', 'get, 16 at once', getsPerSecond, '/s'),
  throughput('objects', 'merge patch, 16 at once', patchesPerSecond, '/s'),
  time('objects', 'list of 1,000', listMs),
  throughput('objects', '50 watchers of 100 changes', watchedEventsPerSecond, 'events/s'),
  time('roll-out', 'Deployment of 50 pods, all ready', untilReadyMs),
  time('roll-out', 'the same, another template in place', untilRolledMs),
  time('roll-out', 'the same, scaled to none', untilGoneMs),
  {
    part: 'memory',
    name: 'memory of all parts (PSS)',
    unit: 'MiB',
    moreIsBetter: false,
    run: memoryMebibytes,
  },
];
