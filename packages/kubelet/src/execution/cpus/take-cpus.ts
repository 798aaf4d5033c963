import type { CpuTopology } from '../../ground/topology/cpu-topology.ts';
import type { CpuSet } from '../../pod/cpu-set.ts';
import { CpuAccumulator } from './cpu-accumulator.ts';
import type { CpuOptions } from './cpu-options.ts';
import { fairChoice } from './fair-choice.ts';

/** What processors are taken from. */
export interface CpuChoice {
  topology: CpuTopology;
  options: CpuOptions;
  available: CpuSet;
  count: number;
}

/** Chooses processors as the options say. Throws when there are not enough. */
export function takeCpus(choice: CpuChoice): CpuSet {
  const { topology, options } = choice;
  const group = options.isFullCores ? topology.cpusPerCore : 1;
  return options.isSpreadOverNodes
    ? takeFairly(choice, group)
    : takePacked(choice, options.prefersUncoreCache);
}

/**
 * As few and as whole sockets, memory nodes and cores as can be: what is large first, then what is most used up (upstream:
 * pkg/kubelet/cm/cpumanager cpu_assignment.go).
 */
function takePacked({ topology, options, available, count }: CpuChoice, byUncoreCache: boolean): CpuSet {
  const isSpread = options.isSpreadOverCores;
  const cpus = new CpuAccumulator(topology, { available, count, isSpread });
  if (cpus.isFailed) throw tooFew(count, available);
  if (!cpus.isSatisfied) cpus.takeWholeTops();
  if (!cpus.isSatisfied && byUncoreCache) cpus.takeByUncoreCache();
  if (!cpus.isSatisfied && !isSpread) cpus.takeWholeCores();
  if (!cpus.isSatisfied) cpus.takeSingles();
  if (!cpus.isSatisfied) throw new Error('failed to allocate cpus');
  return cpus.taken;
}

/** Of as few memory nodes as can be, in equal parts: in groups of processors where whole cores are asked for. */
function takeFairly(choice: CpuChoice, group: number): CpuSet {
  const { topology, available, count } = choice;
  if (count % group !== 0) return takePacked(choice, false);
  const cpus = new CpuAccumulator(topology, { available, count, isSpread: choice.options.isSpreadOverCores });
  if (cpus.isSatisfied) return cpus.taken;
  if (cpus.isFailed) throw tooFew(count, available);
  const chosen = fairChoice({ topology, free: cpus.free, nodes: cpus.nodes(), count, group });
  if (!chosen) return takePacked(choice, false);
  const takeOf = (node: number, part: number) =>
    cpus.take(takePacked({ ...choice, available: cpus.free.cpusIn('node', node), count: part }, false));
  for (const node of chosen.nodes) takeOf(node, chosen.share);
  while (cpus.needed > 0) {
    const before = cpus.needed;
    for (const node of chosen.rest)
      if (cpus.needed > 0 && cpus.free.countIn('node', node) >= group) takeOf(node, group);
    if (cpus.needed === before) throw new Error(`${before} of ${count} processors could not be shared out`);
  }
  return cpus.taken;
}

const tooFew = (count: number, available: CpuSet) =>
  new Error(`not enough cpus available to satisfy request: requested=${count}, available=${available.size}`);
