/**
 * Upstream's own node and ours on one machine, measured turn by turn: what counts is the median of the paired ratios.
 *
 *   npm run bench -- beside-upstream [--turns N] [pods exec forward objects roll-out memory]
 *
 * Builds Kubernetes 1.36 and containerd from their Go modules: a long while the first time.
 */
import { parseArgs } from 'node:util';
import { MeasuredNode, podManifest } from '../node.ts';
import { sessionPod, sessionServers } from '../session-measures.ts';
import type { Side } from '../side.ts';
import { percentile } from '../statistics.ts';
import { type Measure, measures } from './measures.ts';
import { buildPrograms } from './programs.ts';
import { UpstreamNode } from './upstream-node.ts';

const defaultTurns = 5;

/** What the turns of one measure came to, turn by turn. */
interface Turns {
  upstream: number[];
  wherry: number[];
}

async function prepare(side: Side): Promise<void> {
  const pod = podManifest(sessionPod, ['sh', '-c', sessionServers], side.image);
  await side.api.request('POST', '/api/v1/namespaces/default/pods', pod);
  await side.kubectl(['wait', '--for=condition=Ready', `pod/${sessionPod}`, '--timeout=120s']);
}

/** One warm-up, then turns; who begins changes from turn to turn. */
async function alternate(
  measure: Measure,
  sides: { upstream: Side; wherry: Side },
  turns: number,
): Promise<Turns> {
  const seen: Turns = { upstream: [], wherry: [] };
  await measure.run(sides.upstream);
  await measure.run(sides.wherry);
  for (let turn = 0; turn < turns; turn++) {
    const order = turn % 2 === 0 ? (['upstream', 'wherry'] as const) : (['wherry', 'upstream'] as const);
    for (const name of order) seen[name].push(await measure.run(sides[name]));
  }
  return seen;
}

/** A row; the ratio is of times, so below 1 is better for wherry whatever the unit. */
function row({ name, unit, moreIsBetter }: Measure, { upstream, wherry }: Turns): string {
  const ratios = upstream.map((theirs, turn) => {
    const ours = wherry[turn] ?? Number.NaN;
    return moreIsBetter ? theirs / ours : ours / theirs;
  });
  const digits = unit === 'ms' ? 1 : 0;
  const median = (values: number[]) => `${percentile(values, 0.5).toFixed(digits)} ${unit}`;
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  return `| ${name} | ${median(upstream)} | ${median(wherry)} | ${percentile(ratios, 0.5).toFixed(2)} (${spread}) |`;
}

/** Measures the chosen parts; `words` are those of the command line. */
export async function besideUpstream(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    options: { turns: { type: 'string' } },
    allowPositionals: true,
  });
  const turns = Number(values.turns ?? defaultTurns);
  const chosen = measures.filter(({ part }) => positionals.length === 0 || positionals.includes(part));
  const programs = await buildPrograms();
  const wherry = await MeasuredNode.start();
  try {
    const upstream = await UpstreamNode.start({ programs, donor: wherry.dataDir });
    try {
      for (const side of [upstream, wherry]) await prepare(side);
      console.log(
        '| figure | upstream | wherry | ratio: median of pairs (least–greatest) |\n| --- | --- | --- | --- |',
      );
      for (const measure of chosen)
        console.log(row(measure, await alternate(measure, { upstream, wherry }, turns)));
    } finally {
      await upstream.close();
    }
  } finally {
    await wherry.close();
  }
}
