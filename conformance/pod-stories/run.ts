/**
 * Odd but legal pods, and what happens to them, on a node of upstream's kubelet and containerd and on one of ours, each
 * below our API server, controllers and scheduler: `npm run conformance -- pod-stories [--only NAME]... [--theirs FILE]
 * [--ours FILE] [--hold]`. What both tell of a pod is compared line by line: its status, its events, what its containers see
 * and answers to kubectl; the rest of what differs is known.ts's. `--only` is a regular expression over stories' names.
 * What a side told is kept in such a file: stories that stand in it are not played again. A story that differs has a
 * second chance with none beside it: what a busy machine tells late is no difference. `--hold` leaves
 * the nodes until Enter. The exit code is 0 only when all that differs is known.
 */
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRegistry } from '../cri/registry.ts';
import { type Difference, differencesBetween, reasonFor } from './differences.ts';
import { makeStoryImages } from './images.ts';
import { knownDifferences } from './known.ts';
import { Player } from './player.ts';
import { stories } from './stories/all.ts';
import { hostPaths } from './stories/volumes.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: ['.'] },
    theirs: { type: 'string' },
    ours: { type: 'string' },
    hold: { type: 'boolean', default: false },
  },
});
const wanted = stories.filter(({ name }) => values.only.some((word) => new RegExp(word).test(name)));
const names = new Set([...wanted.map(({ name }) => name), 'the-node']);
const theirs = new Player({ kubelet: 'upstream', runtime: 'containerd' }, values.theirs);
const ours = new Player({ kubelet: 'wherry', runtime: 'wherry' }, values.ours);
const players = [theirs, ours];

function found(): { unknown: Difference[]; knownCount: number } {
  const all = differencesBetween(theirs.tellings, ours.tellings).filter(({ story }) => names.has(story));
  const unknown = all.filter((each) => reasonFor(each, knownDifferences) === undefined);
  return { unknown, knownCount: all.length - unknown.length };
}

function print({ unknown, knownCount }: ReturnType<typeof found>): void {
  let heading = '';
  for (const { story, side, line } of unknown) {
    if (story !== heading) console.log(`\n== ${story}`);
    heading = story;
    console.log(`${side === 'theirs' ? '-' : '+'} ${line}`);
  }
  console.log(`\n${wanted.length} stories: ${unknown.length} lines differ, ${knownCount} more as known`);
}

const folder = await mkdtemp(join(tmpdir(), 'wh-'));
const registry = await startRegistry(await makeStoryImages(folder));
try {
  const played = players.map((player) => player.playAll(wanted, { folder, registryUrl: registry.url }));
  // Where one fails the other is ended once it stands.
  await Promise.allSettled(played);
  await Promise.all(played);
  const suspects = new Set(found().unknown.map(({ story }) => story));
  for (const story of wanted.filter(({ name }) => suspects.has(name)))
    await Promise.all(players.map((player) => player.again(story)));
  const result = found();
  print(result);
  process.exitCode = result.unknown.length === 0 ? 0 : 1;
  if (values.hold) {
    for (const { kubeconfig } of players) console.error(kubeconfig ?? 'not started');
    await new Promise((resolve) => process.stdin.once('data', resolve));
  }
} finally {
  await Promise.all(players.map((player) => player.close()));
  registry.close();
  for (const path of [folder, ...globSync(`${hostPaths}*`)]) await rm(path, { recursive: true, force: true });
}
process.exit();
