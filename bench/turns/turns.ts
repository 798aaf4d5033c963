/** Two nodes measured turn by turn on one machine: what counts is the median of the paired ratios. */
import { parseArgs } from 'node:util';
import { podManifest } from '../node.ts';
import { machineAtRest } from '../processor-time.ts';
import { sessionPod, sessionServers } from '../session-measures.ts';
import type { Side } from '../side.ts';
import { percentile } from '../statistics.ts';
import { type Measure, measures } from './measures.ts';

const defaultTurns = 5;

/** What is measured, and how often. */
export interface Choice {
  measures: Measure[];
  turns: number;
  /** Words of the command line that are neither `--turns N` nor, at the end, parts. */
  rest: string[];
}

/** Reads `[REST…] [--turns N] [PART…]`; without parts it is all of them. Rejects a part that is not known. */
export function choiceOf(words: string[], restCount = 0): Choice {
  const { values, positionals } = parseArgs({
    args: words,
    options: { turns: { type: 'string' } },
    allowPositionals: true,
  });
  const rest = positionals.slice(0, restCount);
  const parts = positionals.slice(restCount);
  const known = new Set<string>(measures.map(({ part }) => part));
  const stranger = parts.find((part) => !known.has(part));
  if (stranger !== undefined)
    throw new Error(`no part is called "${stranger}": choose from ${[...known].join(', ')}`);
  const chosen = measures.filter(({ part }) => parts.length === 0 || parts.includes(part));
  return { measures: chosen, turns: Number(values.turns ?? defaultTurns), rest };
}

/** The node that ours is held to, by the name that stands above its column, and ours. */
export interface Sides {
  peerName: string;
  peer: Side;
  wherry: Side;
}

/** What the turns of one measure came to, turn by turn. */
interface Turns {
  peer: number[];
  wherry: number[];
}

async function prepare(side: Side): Promise<void> {
  const pod = podManifest(sessionPod, ['sh', '-c', sessionServers], side.image);
  await side.api.request('POST', '/api/v1/namespaces/default/pods', pod);
  await side.kubectl(['wait', '--for=condition=Ready', `pod/${sessionPod}`, '--timeout=120s']);
}

/**
 * One warm-up, then turns; who begins changes from turn to turn. None pays for what another left behind: containers that are
 * gone from the API are taken apart a while longer.
 */
async function alternate(measure: Measure, sides: Sides, turns: number): Promise<Turns> {
  const seen: Turns = { peer: [], wherry: [] };
  const run = async (name: keyof Turns) => {
    await machineAtRest();
    return measure.run(sides[name]);
  };
  await run('peer');
  await run('wherry');
  for (let turn = 0; turn < turns; turn++) {
    const order = turn % 2 === 0 ? (['peer', 'wherry'] as const) : (['wherry', 'peer'] as const);
    for (const name of order) seen[name].push(await run(name));
  }
  return seen;
}

/** A row; the ratio is of times, so below 1 is better for wherry whatever the unit. */
function row({ name, unit, moreIsBetter }: Measure, { peer, wherry }: Turns): string {
  const ratios = peer.map((theirs, turn) => {
    const ours = wherry[turn] ?? Number.NaN;
    return moreIsBetter ? theirs / ours : ours / theirs;
  });
  const digits = unit === 'ms' ? 1 : 0;
  const median = (values: number[]) => `${percentile(values, 0.5).toFixed(digits)} ${unit}`;
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return `| ${name} | ${median(peer)} | ${median(wherry)} | ${percentile(ratios, 0.5).toFixed(2)} (${spread}) |`;
}

/** Prints a table with a row for each measure. */
export async function printTurns(sides: Sides, choice: Choice): Promise<void> {
  for (const side of [sides.peer, sides.wherry]) await prepare(side);
  console.log(`| figure | ${sides.peerName} | wherry | ratio: median of pairs (least–greatest) |`);
  console.log('| --- | --- | --- | --- |');
  for (const measure of choice.measures)
    console.log(row(measure, await alternate(measure, sides, choice.turns)));
}
