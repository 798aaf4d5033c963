/**
 * Where each process of a node spends its time while bytes stream:
 *
 *   NODE_OPTIONS="--cpu-prof --cpu-prof-dir=DIR" node bench/soak.ts --gibibytes 1 exec
 *   node bench/streaming/profile.ts DIR
 *
 * Shares of the busy time of the main thread, between the first quarter and the last of its writes, so without start and
 * end; V8's helper threads are not in a profile.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface CallFrame {
  functionName: string;
  url: string;
}

interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  timeDeltas: number[];
}

/** A file that only the process of this role loads: of the bundle that a node runs from, or a module. */
const roleMarks: Record<string, RegExp> = {
  monitor: /\/monitor(-\w+)?\.[jt]s$/,
  kubelet: /\/kubelet(-\w+)?\.[jt]s$/,
  'API server': /\/apiserver(-\w+)?\.[jt]s$/,
};

/** Node's functions that write. */
const writing = ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String'];

const roleOf = ({ nodes }: CpuProfile) =>
  Object.entries(roleMarks).find(([, mark]) => nodes.some(({ callFrame }) => mark.test(callFrame.url)))?.[0];

/** Microseconds by function, in the middle half of what was written. */
function selfTimes(profile: CpuProfile): Map<string, number> {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const frameAt = (index: number) => frames.get(profile.samples[index] ?? 0) as CallFrame;
  const writes = [...profile.samples.keys()].filter((index) => writing.includes(frameAt(index).functionName));
  const [from = 0, to = 0] = [0.25, 0.75].map((share) => writes[Math.floor(writes.length * share)]);
  const times = new Map<string, number>();
  for (let index = from; index < to; index += 1) {
    const name = nameOf(frameAt(index));
    times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas[index] ?? 0));
  }
  for (const name of ['(idle)', '(root)']) times.delete(name);
  return times;
}

/** The function, and where it is written unless it is native. */
function nameOf({ functionName, url }: CallFrame): string {
  if (url === '') return functionName;
  return `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '')}`;
}

function describe(role: string, times: Map<string, number>): string {
  const busy = [...times.values()].reduce((sum, time) => sum + time, 0);
  const share = (time: number) => `${((time / busy) * 100).toFixed(1)} %`;
  const of = (...names: string[]) => share(names.reduce((sum, name) => sum + (times.get(name) ?? 0), 0));
  const costly = [...times]
    .filter(([name]) => name.includes(' ') && !name.startsWith('(garbage'))
    .sort((a, b) => b[1] - a[1])[0];
  const cells = [
    of(...writing),
    of('(program)'),
    of('(garbage collector)'),
    costly ? `${share(costly[1])} ${costly[0]}` : '–',
  ];
  return `| ${role} | ${cells.join(' | ')} |`;
}

const folder = process.argv[2];
if (folder === undefined) throw new Error('say which folder the profiles are in');
console.log(
  '| process | writing (kernel, TLS, joining) | reading and other native code | garbage collection | the most costly function in JavaScript |',
);
console.log('| --- | --: | --: | --: | --: |');
for (const name of readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'))) {
  const profile: CpuProfile = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const role = roleOf(profile);
  if (role) console.log(describe(role, selfTimes(profile)));
}
