import type { NodeEvictionRates } from '@wherry/controllers';
import { type Command, InvalidArgumentError } from 'commander';
import { parseWhole } from './flag-values.ts';

/** Upstream's flags about how fast nodes that are not ready lose their pods, as commander hands them over. */
export interface NodeEvictionFlags {
  nodeEvictionRate?: number;
  secondaryNodeEvictionRate?: number;
  unhealthyZoneThreshold?: number;
  largeClusterSizeThreshold?: number;
}

/** Adds them to a command. */
export function addNodeEvictionFlags(command: Command): Command {
  return command
    .option(
      '--node-eviction-rate <number>',
      'nodes of a zone a second that lose their pods, not being ready (default: 0.1)',
      parseRate,
    )
    .option(
      '--secondary-node-eviction-rate <number>',
      'the same of a large zone of which many are not ready; of a small one none does (default: 0.01)',
      parseRate,
    )
    .option(
      '--unhealthy-zone-threshold <share>',
      'share of a zone that is many, three nodes at least (default: 0.55)',
      parseShare,
    )
    .option(
      '--large-cluster-size-threshold <count>',
      'a zone of more nodes is large (default: 50)',
      parseWhole,
    );
}

/** How fast it is by these flags. */
export function nodeEvictionRatesOf(flags: NodeEvictionFlags): Partial<NodeEvictionRates> {
  const rates = {
    perSecond: flags.nodeEvictionRate,
    secondaryPerSecond: flags.secondaryNodeEvictionRate,
    unhealthyZoneThreshold: flags.unhealthyZoneThreshold,
    largeClusterNodes: flags.largeClusterSizeThreshold,
  };
  return Object.fromEntries(Object.entries(rates).filter(([, value]) => value !== undefined));
}

function parseRate(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('expected a number from 0 on');
  return Number(text);
}

function parseShare(text: string): number {
  const share = parseRate(text);
  if (share > 1) throw new InvalidArgumentError('expected a number from 0 to 1');
  return share;
}
