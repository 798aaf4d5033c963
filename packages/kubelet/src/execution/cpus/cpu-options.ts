import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { isGateOn } from '../../configuration/feature-gates.ts';
import type { CpuTopology } from '../../ground/topology/cpu-topology.ts';
import { flagOption, requireOptions } from '../topology/policy-option.ts';

/** How processors are chosen, as the options of the static policy say it. */
export interface CpuOptions {
  /** Containers share no core. */
  isFullCores: boolean;
  /** What does not fit one memory node is taken of several in equal parts. */
  isSpreadOverNodes: boolean;
  /** Sockets are kept together instead of memory nodes. */
  isAlignedBySocket: boolean;
  /** Each processor is of another core where that can be. */
  isSpreadOverCores: boolean;
  /** Processors that are reserved are not for pods at all. */
  isReservedStrictly: boolean;
  /** Processors that share a cache are taken together where that can be. */
  prefersUncoreCache: boolean;
}

const alpha = ['align-by-socket', 'distribute-cpus-across-cores'];
const beta = ['distribute-cpus-across-numa'];
const stable = ['full-pcpus-only', 'strict-cpu-reservation', 'prefer-align-cpus-by-uncorecache'];

/** Options that can't be had together. */
const conflicts = [
  ['full-pcpus-only', 'distribute-cpus-across-cores'],
  ['distribute-cpus-across-numa', 'distribute-cpus-across-cores'],
  ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-cores'],
  ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-numa'],
] as const;

/** What of the configuration the options are read from. */
export type CpuOptionFields = Pick<
  KubeletConfiguration,
  'cpuManagerPolicyOptions' | 'featureGates' | 'topologyManagerPolicy'
>;

/** The options of the static policy. Throws for one that is not known, not switched on, or can't be had here. */
export function cpuOptions(configuration: CpuOptionFields, topology: CpuTopology): CpuOptions {
  const { cpuManagerPolicyOptions: given, topologyManagerPolicy } = configuration;
  requireOptions('cpuManagerPolicyOptions', given, [...stable, ...beta, ...alpha]);
  requireGate(configuration, alpha, 'CPUManagerPolicyAlphaOptions');
  requireGate(configuration, beta, 'CPUManagerPolicyBetaOptions');
  const has = (name: string) => flagOption(given, name);
  for (const [one, other] of conflicts)
    if (has(one) && has(other))
      throw new Error(`static policy options ${one} and ${other} can not be used at the same time`);
  const isAlignedBySocket = has('align-by-socket');
  if (isAlignedBySocket && topologyManagerPolicy === 'single-numa-node')
    throw new Error('align-by-socket is nothing for the topology policy single-numa-node');
  if (isAlignedBySocket && topology.sockets > topology.idsOf('node').length)
    throw new Error('align-by-socket is nothing for a machine with more sockets than memory nodes');
  return {
    isFullCores: has('full-pcpus-only'),
    isSpreadOverNodes: has('distribute-cpus-across-numa'),
    isAlignedBySocket,
    isSpreadOverCores: has('distribute-cpus-across-cores'),
    isReservedStrictly: has('strict-cpu-reservation'),
    prefersUncoreCache: has('prefer-align-cpus-by-uncorecache'),
  };
}

function requireGate(
  { cpuManagerPolicyOptions: given, featureGates }: CpuOptionFields,
  options: readonly string[],
  gate: Parameters<typeof isGateOn>[1],
): void {
  const asked = options.filter((name) => Object.hasOwn(given, name));
  if (asked.length > 0 && !isGateOn(featureGates, gate))
    throw new Error(`option ${asked.join(', ')} needs the feature gate ${gate}`);
}
