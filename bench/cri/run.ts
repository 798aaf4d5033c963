/**
 * The runtime beside Debian's containerd and today's in one run, by CRI alone and turn by turn: what counts is the median of
 * the paired ratios.
 *
 *   npm run bench -- cri [--turns N] [--rounds N] [--pods N] [--mebibytes N] [calls many pull logs]
 *
 * Single calls have `--turns`, what is large `--rounds`. Builds containerd from its Go module: minutes the first time.
 */
import { parseArgs } from 'node:util';
import { buildContainerd } from '../beside-upstream/programs.ts';
import { percentile } from '../statistics.ts';
import { untilTold } from '../until-told.ts';
import { type Figure, type Measure, measuresOf } from './measures.ts';
import { serveImage } from './pulled-image.ts';
import { type RuntimeSide, startPeer, startWherry } from './side.ts';

/** For each side, for each turn, one number for each figure. */
type Turns = Map<RuntimeSide, number[][]>;

/** One warm-up, then turns; who begins changes from turn to turn. */
async function alternate(measure: Measure, sides: readonly RuntimeSide[], turns: number): Promise<Turns> {
  const seen: Turns = new Map(sides.map((side) => [side, []]));
  for (const side of sides) await measure.run(side);
  for (let turn = 0; turn < turns; turn++)
    for (const index of sides.keys()) {
      const side = sides[(index + turn) % sides.length];
      if (side) seen.get(side)?.push(await measure.run(side));
    }
  return seen;
}

const digitsOf = (value: number) => (value < 10 ? 2 : value < 100 ? 1 : 0);

function row(figure: Figure, at: number, seen: Turns): string {
  const { name, unit, aim = '' } = figure;
  const columns = [...seen.values()].map((turns) => turns.map((values) => values[at] ?? Number.NaN));
  const [ours = [], ...peers] = columns;
  const told = (values: number[]) => {
    const median = percentile(values, 0.5);
    return `${median.toFixed(digitsOf(median))} ${unit}`;
  };
  const cells = peers.flatMap((theirs) => {
    const ratios = theirs.map((value, turn) => (ours[turn] ?? Number.NaN) / value);
    const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    return [told(theirs), `${percentile(ratios, 0.5).toFixed(2)} (${spread})`];
  });
  return `| ${[name, told(ours), ...cells, aim].join(' | ')} |`;
}

/** Measures the chosen parts; `words` are those of the command line. */
export async function besideContainerd(words: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    options: {
      turns: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '3' },
      pods: { type: 'string', default: '100' },
      mebibytes: { type: 'string', default: '256' },
    },
    allowPositionals: true,
  });
  const mebibytes = Number(values.mebibytes);
  const wants = (part: string) => positionals.length === 0 || positionals.includes(part);
  const programs = await buildContainerd();
  const served = wants('pull') ? await serveImage(mebibytes) : undefined;
  const sides: RuntimeSide[] = [];
  try {
    sides.push(await startWherry());
    for (const each of [undefined, programs]) sides.push(await startPeer(each));
    const titles = sides.slice(1).flatMap(({ name }) => [name, 'ratio: median of pairs (least–greatest)']);
    console.log(`| CRI | wherry | ${titles.join(' | ')} | aim |`);
    console.log(`|${' --- |'.repeat(titles.length + 3)}`);
    const amounts = { pods: Number(values.pods), mebibytes, pulledImage: served?.name ?? '' };
    const chosen = measuresOf(amounts).filter(({ part }) => wants(part));
    await untilTold(async () => {
      for (const measure of chosen) {
        const turns = Number(measure.part === 'calls' ? values.turns : values.rounds);
        const seen = await alternate(measure, sides, turns);
        for (const [at, figure] of measure.figures.entries()) console.log(row(figure, at, seen));
      }
    });
  } finally {
    for (const side of sides.reverse()) await side.close();
    served?.close();
  }
}
