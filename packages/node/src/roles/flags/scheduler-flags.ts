import { formatDurationMs } from '@wherry/kubeapi/objects';
import { type Command, Option } from 'commander';
import { parseSwitch, parseTimeMs } from './flag-values.ts';

/** Flags of `wherry scheduler`, as commander hands them over. */
export interface SchedulerFlags {
  config?: string;
  writeConfigTo?: string;
  kubeconfig?: string;
  leaderElect?: boolean;
  /** Durations as Go writes them. */
  leaderElectLeaseDuration?: string;
  leaderElectRenewDeadline?: string;
  leaderElectRetryPeriod?: string;
  leaderElectResourceLock?: string;
  leaderElectResourceName?: string;
  leaderElectResourceNamespace?: string;
}

/** A duration above 0, as Go writes it. */
const parseDuration = (value: string): string => formatDurationMs(parseTimeMs(value));

/** Adds them to a command. */
export function addSchedulerFlags(command: Command): Command {
  return command
    .option('--config <file>', 'KubeSchedulerConfiguration, YAML or JSON')
    .option('--write-config-to <file>', 'write the configuration that holds there, and end')
    .option(
      '--kubeconfig <file>',
      'credentials towards the API server, unless the configuration has clientConnection.kubeconfig',
    )
    .addOption(
      new Option('--leader-elect [switch]', 'run only while holding the lease (default: true)')
        .argParser(parseSwitch)
        .preset('true'),
    )
    .option('--leader-elect-lease-duration <duration>', 'how long it holds (default: 15s)', parseDuration)
    .option(
      '--leader-elect-renew-deadline <duration>',
      'who could not renew it for so long stops (default: 10s)',
      parseDuration,
    )
    .option(
      '--leader-elect-retry-period <duration>',
      'how often it is renewed, or asked for (default: 2s)',
      parseDuration,
    )
    .option('--leader-elect-resource-lock <kind>', 'leases, and nothing else (default: leases)')
    .option('--leader-elect-resource-name <name>', 'name of the lease (default: kube-scheduler)')
    .option('--leader-elect-resource-namespace <name>', 'where it is (default: kube-system)');
}
