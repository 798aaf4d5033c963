/**
 * Prints wherry's figures beside upstream's, measured from outside by watch and kubectl.
 *
 *   npm run bench [-- pods streams rest probes]
 *   npm run bench -- cri [--turns N] [--rounds N] [--pods N] [--mebibytes N] [calls many pull logs]
 *   npm run bench -- beside-upstream [--turns N] [pods exec forward objects roll-out memory]
 *   npm run bench -- beside-tree TREE [--turns N] [the same]
 *
 * Upstream's figures are those of bench/README.md; absolute times move from machine to machine, ratios hold.
 */
import { type Figure, printFigures } from './figure.ts';
import { MeasuredNode } from './node.ts';
import { measurePods } from './pods.ts';
import { measureProbes } from './probes.ts';
import { measureRest } from './rest.ts';
import { measureStreams } from './streams.ts';
import { untilTold } from './until-told.ts';

const chosen = process.argv.slice(2);
if (chosen[0] === 'beside-upstream') {
  const { besideUpstream } = await import('./beside-upstream/run.ts');
  await besideUpstream(chosen.slice(1));
  process.exit();
}
if (chosen[0] === 'beside-tree') {
  const { besideTree } = await import('./beside-tree.ts');
  await besideTree(chosen.slice(1));
  process.exit();
}
if (chosen[0] === 'cri') {
  const { besideContainerd } = await import('./cri/run.ts');
  await besideContainerd(chosen.slice(1));
  process.exit();
}
const wants = (part: string) => chosen.length === 0 || chosen.includes(part);

const node = await MeasuredNode.start();
const readyFigure: Figure = {
  name: 'everything started → node Ready',
  value: `${(node.readyMs / 1000).toFixed(2)} s`,
  upstream: '5.4 s',
  aim: '≤ 1.5 s',
};
try {
  await untilTold(async () =>
    printFigures([
      readyFigure,
      ...(wants('rest') ? await measureRest(node) : []),
      ...(wants('probes') ? await measureProbes(node) : []),
      ...(wants('pods') ? await measurePods(node) : []),
      ...(wants('streams') ? await measureStreams(node) : []),
    ]),
  );
} finally {
  await node.close();
}
