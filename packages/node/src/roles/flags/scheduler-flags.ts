import type { Command } from 'commander';
import { addElectionFlags, type ElectionFlags } from './manager/election-flags.ts';

/** Flags of `wherry scheduler`, as commander hands them over. */
export interface SchedulerFlags extends ElectionFlags {
  config?: string;
  writeConfigTo?: string;
  kubeconfig?: string;
}

/** Adds them to a command. */
export function addSchedulerFlags(command: Command): Command {
  command
    .option('--config <file>', 'KubeSchedulerConfiguration, YAML or JSON')
    .option('--write-config-to <file>', 'write the configuration that holds there, and end')
    .option(
      '--kubeconfig <file>',
      'credentials towards the API server, unless the configuration has clientConnection.kubeconfig',
    );
  return addElectionFlags(command, 'kube-scheduler');
}
