/** How fast pods come: create → Running, one at a time and many at once. */
import type { Figure } from './figure.ts';
import { type MeasuredNode, podManifest } from './node.ts';
import type { Side } from './side.ts';
import { summary } from './statistics.ts';

const path = '/api/v1/namespaces/default/pods';
const giveUpMs = 120_000;

/** Creates the pods, resolves when each was seen Running, then deletes them; returns the milliseconds of each. */
export async function createUntilRunning(node: Side, names: string[]): Promise<number[]> {
  const waiting = new Map<string, number>();
  const samples: number[] = [];
  let finish = () => {};
  const allRunning = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const stop = await node.api.watchPods(({ object }) => {
    const since = waiting.get(object.metadata.name);
    if (since === undefined || object.status?.phase !== 'Running') return;
    waiting.delete(object.metadata.name);
    samples.push(performance.now() - since);
    if (samples.length === names.length) finish();
  });
  const timer = setTimeout(() => finish(), giveUpMs);
  const start = performance.now();
  for (const name of names) waiting.set(name, start);
  await Promise.all(
    names.map((name) => node.api.request('POST', path, podManifest(name, undefined, node.image))),
  );
  await allRunning;
  clearTimeout(timer);
  stop();
  if (waiting.size > 0) throw new Error(`not Running after ${giveUpMs} ms: ${[...waiting.keys()].join(' ')}`);
  return samples;
}

/** Deletes these pods, or all, and waits until they are gone. */
export async function deletePods(node: Side, names: string[] = ['--all']): Promise<void> {
  await node.kubectl(['delete', 'pods', ...names, '--wait=true', '--grace-period=0', '--force']);
}

export async function measurePods(node: MeasuredNode): Promise<Figure[]> {
  await createUntilRunning(node, ['warm-up']);
  await deletePods(node);
  const single: number[] = [];
  for (let index = 0; index < 20; index++) {
    single.push(...(await createUntilRunning(node, [`single-${index}`])));
    await deletePods(node);
  }
  const together: Figure[] = [];
  for (const count of [10, 100]) {
    const names = Array.from({ length: count }, (_, index) => `many-${count}-${index}`);
    const samples = await createUntilRunning(node, names);
    await deletePods(node);
    const upstream = count === 10 ? '1.37 s' : '13.1–14.7 s';
    const aim = count === 10 ? '≤ 0.5 s' : '≤ 5 s';
    const value = `${(Math.max(...samples) / 1000).toFixed(2)} s`;
    together.push({ name: `${count} pods at once, last one Running`, value, upstream, aim });
  }
  return [
    {
      name: 'create → Running, one at a time, p50 / p90 / min of 20',
      value: summary(single),
      upstream: '509 / 552 / 470 ms',
      aim: 'p50 ≤ 130 ms',
    },
    ...together,
  ];
}
