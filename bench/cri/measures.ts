import { setTimeout as delay } from 'node:timers/promises';
import { collect } from '@wherry/bytes';
import { connectRemoteCommand } from '@wherry/remotecommand';
import { mebibytesOf } from './memory.ts';
import { type BenchPod, flush, outputIn, removePod, startPod } from './pods.ts';
import type { RuntimeSide } from './side.ts';

/** One figure: how it is told, and what we aim at beside containerd, as a ratio. */
export interface Figure {
  name: string;
  unit: string;
  /** Whether more is better, as with throughput. */
  moreIsBetter?: boolean;
  aim?: string;
}

/** What is measured together: one number for each figure. */
export interface Measure {
  /** By which it is chosen on the command line. */
  part: 'calls' | 'many' | 'pull' | 'logs';
  figures: readonly Figure[];
  run(side: RuntimeSide): Promise<number[]>;
}

/** How much is measured. */
export interface Amounts {
  /** Pods that are started at once. */
  pods: number;
  /** Size of the image that is pulled, and of what is logged. */
  mebibytes: number;
  pulledImage: string;
}

/** How long pods are left alone before the memory is looked at. */
const restMs = 5_000;
const pollMs = 100;

async function elapsedMs(action: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await action();
  return performance.now() - startedMs;
}

/** Runs `true` by a streamed session, to its exit code. */
async function execSession(side: RuntimeSide, { containerId }: BenchPod): Promise<void> {
  const streams = { stdin: false, stdout: true, stderr: false, tty: false };
  const { url } = await side.client.runtime.exec({ containerId, cmd: ['true'], ...streams });
  const session = await connectRemoteCommand({ url: new URL(url), streams, transport: 'spdy' });
  if (session.stdout) await collect(session.stdout);
  const code = await session.exitCode;
  if (code !== 0) throw new Error(`exec ended with ${code}`);
}

const calls: Measure = {
  part: 'calls',
  figures: [
    { name: 'sandbox + create + start', unit: 'ms', aim: '≤ 0.35' },
    { name: 'exec, a whole session', unit: 'ms', aim: '≤ 0.7' },
    { name: 'execSync', unit: 'ms', aim: '≤ 0.8' },
    { name: 'stop + remove', unit: 'ms', aim: '≤ 0.2' },
  ],
  async run(side) {
    const made: BenchPod[] = [];
    const startMs = await elapsedMs(async () => made.push(await startPod(side)));
    const [pod] = made;
    if (!pod) throw new Error('no pod was made');
    const execMs = await elapsedMs(() => execSession(side, pod));
    const syncMs = await elapsedMs(() => outputIn(side, pod, ['true']));
    return [startMs, execMs, syncMs, await elapsedMs(() => removePod(side, pod))];
  },
};

const many = ({ pods }: Amounts): Measure => ({
  part: 'many',
  figures: [
    { name: `${pods} pods at once`, unit: 'ms', aim: '≤ 0.5' },
    { name: 'memory per idle pod', unit: 'MiB', aim: '≤ 0.3' },
    { name: `stop + remove of ${pods} at once`, unit: 'ms' },
  ],
  async run(side) {
    await delay(restMs);
    const before = mebibytesOf(side.folder, 'sleep');
    let made: BenchPod[] = [];
    const startMs = await elapsedMs(async () => {
      made = await Promise.all(Array.from({ length: pods }, () => startPod(side)));
    });
    await delay(restMs);
    const perPod = (mebibytesOf(side.folder, 'sleep') - before) / pods;
    const endMs = await elapsedMs(() => Promise.all(made.map((pod) => removePod(side, pod))));
    return [startMs, perPod, endMs];
  },
});

const pull = ({ mebibytes, pulledImage }: Amounts): Measure => ({
  part: 'pull',
  figures: [{ name: `pull of ${mebibytes} MiB`, unit: 'ms', aim: '≤ 1.0' }],
  async run({ client: { images } }) {
    flush();
    const image = { image: pulledImage };
    const pullMs = await elapsedMs(() => images.pullImage({ image }, { timeoutMs: 600_000 }));
    await images.removeImage({ image }, { timeoutMs: 600_000 });
    return [pullMs];
  },
});

/** Writes lines to the container's output, and the machine's clock before and behind them to a file. */
const writing = (mebibytes: number) =>
  [
    `yes ${'0123456789'.repeat(8).slice(1)} | head -c ${mebibytes}m > /tmp/lines`,
    'cut -d " " -f 1 /proc/uptime > /tmp/times',
    'cat /tmp/lines',
    'cut -d " " -f 1 /proc/uptime >> /tmp/times',
    'sleep 86400',
  ].join('; ');

const logs = ({ mebibytes }: Amounts): Measure => ({
  part: 'logs',
  figures: [{ name: `log writing, ${mebibytes} MiB`, unit: 'MiB/s', moreIsBetter: true, aim: '≥ 1.5' }],
  async run(side) {
    flush();
    const pod = await startPod(side, ['sh', '-c', writing(mebibytes)]);
    let times: number[] = [];
    while (times.length < 2) {
      await delay(pollMs);
      const seen = await outputIn(side, pod, ['sh', '-c', 'cat /tmp/times 2>/dev/null || true']);
      times = seen.trim().split('\n').map(Number);
    }
    await removePod(side, pod);
    const [beginning = 0, end = 0] = times;
    return [mebibytes / (end - beginning)];
  },
});

/** Everything that is measured. */
export const measuresOf = (amounts: Amounts): Measure[] => [
  calls,
  many(amounts),
  pull(amounts),
  logs(amounts),
];
