/**
 * Odd but legal pods, and what happens to them, on a node of upstream's kubelet and containerd and on one of ours, each
 * below our API server, controllers and scheduler: `npm run conformance -- pod-stories [--only NAME]... [--theirs FILE]
 * [--ours FILE] [--hold]`. What both tell of a pod is compared line by line: its status, its events, what its containers see
 * and answers to kubectl; the rest of what differs is known.ts's. `--only` is a regular expression over stories' names.
 * What a side told is kept in such a file: stories that stand in it are not played again. `--hold` leaves
 * the nodes until Enter. The exit code is 0 only when all that differs is known.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startRegistry } from '../cri/registry.ts';
import type { Parts } from '../e2e/nodes/node-of-parts.ts';
import { writeRegistryConfig } from '../e2e/nodes/registry-config.ts';
import { differencesBetween, reasonFor, type Tellings } from './differences.ts';
import { imageHost, imagesCome, makeStoryImages } from './images.ts';
import { knownDifferences } from './known.ts';
import { nodeLines } from './node-lines.ts';
import { play } from './play.ts';
import { type Side, startSide } from './side.ts';
import { stories } from './stories/all.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: ['.'] },
    theirs: { type: 'string' },
    ours: { type: 'string' },
    hold: { type: 'boolean', default: false },
  },
});
const atOnce = 6;
const wanted = stories.filter(({ name }) => values.only.some((word) => new RegExp(word).test(name)));

/** Plays what is not told yet. */
async function playAll(side: Side, before: Tellings): Promise<Tellings> {
  const told: Record<string, readonly string[]> = { ...before };
  await play(side, imagesCome);
  const left = wanted.filter(({ name }) => !Object.hasOwn(before, name));
  const next = async () => {
    for (let story = left.shift(); story; story = left.shift()) {
      const lines = await play(side, story);
      told[story.name] = lines;
      process.stderr.write('.');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  told['the-node'] = await nodeLines(side);
  return told;
}

const folder = await mkdtemp(join(tmpdir(), 'wh-'));
const registry = await startRegistry(await makeStoryImages(folder));
const sides: Side[] = [];

async function tellingsOf(parts: Parts, file: string | undefined): Promise<Tellings> {
  const before: Tellings =
    file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (wanted.every(({ name }) => Object.hasOwn(before, name))) return before;
  const own = join(folder, parts.kubelet[0] ?? '');
  mkdirSync(own);
  for (const host of ['docker.io', imageHost]) writeRegistryConfig(own, registry.url, host);
  const side = await startSide(parts, own, join(own, 'certs.d'));
  sides.push(side);
  if (values.hold) console.error(`${parts.kubelet}: ${side.kubeconfig}`);
  const told = await playAll(side, before);
  if (file !== undefined) writeFileSync(file, JSON.stringify(told, null, 1));
  return told;
}

try {
  const [theirs, ours] = await Promise.all([
    tellingsOf({ kubelet: 'upstream', runtime: 'containerd' }, values.theirs),
    tellingsOf({ kubelet: 'wherry', runtime: 'wherry' }, values.ours),
  ]);
  const isWanted = new Set([...wanted.map(({ name }) => name), 'the-node']);
  const differences = differencesBetween(theirs, ours).filter(({ story }) => isWanted.has(story));
  const unknown = differences.filter((each) => reasonFor(each, knownDifferences) === undefined);
  let heading = '';
  for (const { story, side, line } of unknown) {
    if (story !== heading) console.log(`\n== ${story}`);
    heading = story;
    console.log(`${side === 'theirs' ? '-' : '+'} ${line}`);
  }
  console.log(
    `\n${wanted.length} stories: ${unknown.length} lines differ, ${differences.length - unknown.length} more as known`,
  );
  process.exitCode = unknown.length === 0 ? 0 : 1;
  if (values.hold) await new Promise((resolve) => process.stdin.once('data', resolve));
} finally {
  await Promise.all(sides.map((side) => side.close()));
  registry.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
