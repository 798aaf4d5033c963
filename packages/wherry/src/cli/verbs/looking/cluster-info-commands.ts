import { collectList } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { DumpFlags } from '../../../commands/cluster-info/dump.ts';
import type { KubeFlags } from '../../../kube/flags.ts';
import { parsePodTimeout } from '../../flags/duration.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { usageError } from '../../flags/usage-errors.ts';

/** `cluster-info` and its `dump`. */
export function addClusterInfo(program: Command): Command[] {
  const info = withKubeFlags(program.command('cluster-info'))
    .description('print where the control plane is, and the services of the cluster')
    .usage('[flags]')
    .enablePositionalOptions()
    .argument('[words...]')
    .action(async ([word]: string[], flags: KubeFlags, self: Command) => {
      if (word !== undefined) usageError(self, `unknown command "${word}"`);
      await (await import('../../../commands/cluster-info/cluster-info.ts')).clusterInfo(flags);
    });
  return [info, addDump(info)];
}

const podLogsTimeoutMs = 20_000;

const addDump = (info: Command): Command =>
  withOutput(withKubeFlags(info.command('dump')), ['json', 'yaml'])
    .description('print nodes, workloads, events and logs, for whoever looks for what is wrong')
    .usage('[flags]')
    .option('--output-directory <dir>', 'write files there (default: -, all to standard output)')
    .option(
      '--namespaces <list>',
      'of these namespaces (default: kube-system and that of the context)',
      collectList,
    )
    .option('-A, --all-namespaces', 'of every namespace')
    .option('--show-managed-fields', 'who manages which field too')
    .addOption(
      new Option(
        '--pod-running-timeout <duration>',
        'without effect, as in kubectl: logs are taken as they are',
      )
        .argParser(parsePodTimeout)
        .default(podLogsTimeoutMs, '20s'),
    )
    .action(async (flags: DumpFlags) => (await import('../../../commands/cluster-info/dump.ts')).dump(flags));
