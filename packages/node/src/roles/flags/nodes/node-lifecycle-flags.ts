import type { NodeEvictionRates, NodeMonitorTimes } from '@wherry/controllers';
import { type Command, InvalidArgumentError } from 'commander';
import { parseTimeMs, parseWhole } from '../flag-values.ts';

/** Upstream's flags about when nodes count as gone, and how fast they then lose their pods, as commander hands them over. */
export interface NodeLifecycleFlags {
  nodeMonitorPeriod?: number;
  nodeMonitorGracePeriod?: number;
  nodeStartupGracePeriod?: number;
  nodeEvictionRate?: number;
  secondaryNodeEvictionRate?: number;
  unhealthyZoneThreshold?: number;
  largeClusterSizeThreshold?: number;
}

/** Adds them to a command. */
export function addNodeLifecycleFlags(command: Command): Command {
  return command
    .option('--node-monitor-period <duration>', 'how often nodes are looked at (default: 5s)', parseTimeMs)
    .option(
      '--node-monitor-grace-period <duration>',
      'silence after which a node counts as unreachable, several times its kubelet’s leaseDurationSeconds / 4 (default: 50s)',
      parseTimeMs,
    )
    .option(
      '--node-startup-grace-period <duration>',
      'the same of a node that has told nothing of itself yet (default: 60s)',
      parseTimeMs,
    )
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
export function nodeEvictionRatesOf(flags: NodeLifecycleFlags): Partial<NodeEvictionRates> {
  const rates = {
    perSecond: flags.nodeEvictionRate,
    secondaryPerSecond: flags.secondaryNodeEvictionRate,
    unhealthyZoneThreshold: flags.unhealthyZoneThreshold,
    largeClusterNodes: flags.largeClusterSizeThreshold,
  };
  return given(rates);
}

/** When nodes count as gone by these flags. */
export function nodeMonitorTimesOf(flags: NodeLifecycleFlags): Partial<NodeMonitorTimes> {
  return given({
    periodMs: flags.nodeMonitorPeriod,
    graceMs: flags.nodeMonitorGracePeriod,
    startupGraceMs: flags.nodeStartupGracePeriod,
  });
}

function given<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
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
