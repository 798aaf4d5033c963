/**
 * A node full of pods: 110 at once, upstream's default bound, and then as many as it is told.
 *
 *   node bench/many-pods.ts [--pods 250] [--rest-seconds 60]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Figure, printFigures } from './figure.ts';
import { pssMebibytes } from './memory/footprint.ts';
import { MeasuredNode, podManifest } from './node.ts';
import { cpuMs } from './processor-time.ts';

const path = '/api/v1/namespaces/default/pods';
const usualMax = 110;
const giveUpMs = 300_000;
/** What a worker of a cluster has; the others serve the cluster. */
const nodeRoles = ['kubelet', 'runtime', 'monitor', 'network'];

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '250' },
    'rest-seconds': { type: 'string', default: '60' },
  },
});
const all = Number(values.pods);
const usual = Math.min(usualMax, all);
const restMs = Number(values['rest-seconds']) * 1_000;

const figure = (name: string, value: string, aim = ''): Figure => ({ name, value, upstream: '–', aim });

/** Makes pods; milliseconds until each is Running, from the first request on, and the processor time of all parts. */
async function fill(
  node: MeasuredNode,
  from: number,
  until: number,
): Promise<{ lastMs: number; cpuMs: number }> {
  const waiting = new Set<string>();
  const done = Promise.withResolvers<void>();
  const stop = await node.api.watchPods(({ object }) => {
    if (object.status?.phase !== 'Running') return;
    if (waiting.delete(object.metadata.name) && waiting.size === 0) done.resolve();
  });
  const names = Array.from({ length: until - from }, (_, index) => `full-${from + index}`);
  for (const name of names) waiting.add(name);
  const processes = await node.processes();
  const spent = () => processes.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const [beganMs, before] = [performance.now(), spent()];
  const timer = setTimeout(() => done.reject(new Error(`not Running: ${[...waiting].join(' ')}`)), giveUpMs);
  await Promise.all(names.map((name) => node.request('POST', path, podManifest(name))));
  await done.promise;
  clearTimeout(timer);
  stop();
  return { lastMs: performance.now() - beganMs, cpuMs: spent() - before };
}

/** What the parts take while nothing happens. */
async function rest(node: MeasuredNode): Promise<{ cpu: string; memory: string }> {
  await sleep(15_000);
  const processes = await node.processes();
  const before = new Map(processes.map(({ role, pid }) => [role, cpuMs(pid)]));
  await sleep(restMs);
  const spent = processes.map(({ role, pid }) => ({ role, ms: cpuMs(pid) - before.get(role)! }));
  const percent = (ms: number) => ((ms / restMs) * 100).toFixed(2);
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
  const sizes = processes.map(({ role, pid }) => ({ role, mebibytes: pssMebibytes(pid) }));
  const own = sizes.filter(({ role }) => nodeRoles.includes(role));
  const total = (some: typeof sizes) => sum(some.map(({ mebibytes }) => mebibytes)).toFixed(0);
  return {
    cpu: `${percent(sum(spent.map(({ ms }) => ms)))} % (${spent.map(({ role, ms }) => `${role} ${percent(ms)}`).join(', ')})`,
    memory: `${total(own)} MiB; with API server and controllers ${total(sizes)} (${sizes
      .map(({ role, mebibytes }) => `${role} ${mebibytes.toFixed(0)}`)
      .join(', ')})`,
  };
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
const load = () => `load ${loadavg()[0]!.toFixed(1)}`;

const folder = mkdtempSync(join(tmpdir(), 'wherry-many-'));
const config = join(folder, 'node.yaml');
// The name is of no account, but a file has to be of a node. Each pod has an address of the range.
writeFileSync(config, `apiVersion: wherry/v1alpha1\nkind: Node\nkubelet: {maxPods: ${all}}\n`);
const node = await MeasuredNode.start(undefined, ['--config', config]);
try {
  await fill(node, 0, 1);
  const beganLoad = load();
  const first = await fill(node, 1, usual);
  const atRest = await rest(node);
  const figures = [
    figure(
      `${usual} pods, all but one at once: the last Running`,
      `${seconds(first.lastMs)}, ${seconds(first.cpuMs)} of processor time (${beganLoad})`,
      '≤ 6 s',
    ),
    figure('processor time of all parts at rest with them, of a core', `${atRest.cpu} (${load()})`, '< 2 %'),
    figure('memory of the node’s four processes with them (PSS)', atRest.memory, '< 250 MiB'),
  ];
  if (all > usual) {
    const more = await fill(node, usual, all);
    const full = await rest(node);
    figures.push(
      figure(
        `${all - usual} more at once: the last Running`,
        `${seconds(more.lastMs)}, ${seconds(more.cpuMs)} of processor time`,
      ),
      figure(`processor time of all parts at rest with ${all}, of a core`, `${full.cpu} (${load()})`),
      figure('memory of the node’s four processes with them (PSS)', full.memory),
    );
  }
  printFigures(figures);
} finally {
  await node.close();
  rmSync(folder, { recursive: true, force: true });
}
