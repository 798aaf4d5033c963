import type { Command } from 'commander';
import type { ExposeFlags } from '../../commands/expose/expose.ts';
import { dryRunOption, saveConfigOption, withOverrides } from '../flags/change-flags.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { withRecord } from '../flags/record-flag.ts';
import {
  filenameOption,
  kustomizeOption,
  typesAndNames,
  typesAndNamesHelp,
} from '../flags/selection-flags.ts';

/** `expose`. */
export function addExpose(program: Command): Command {
  const command = withOutput(withRecord(withKubeFlags(program.command('expose'))), ['json', 'yaml', 'name'])
    .description('create a service by which the pods of something are reached')
    .usage('(TYPE NAME | TYPE/NAME | -f FILE | -k FOLDER) [--port=PORT] [flags]')
    .argument(typesAndNames, typesAndNamesHelp)
    .addOption(filenameOption())
    .addOption(kustomizeOption())
    .option('-R, --recursive', 'folders in folders too');
  return withServiceFlags(withOverrides(command))
    .addOption(dryRunOption())
    .addOption(saveConfigOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-expose')
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: ExposeFlags) =>
      (await import('../../commands/expose/expose.ts')).expose(words, flags),
    );
}

const withServiceFlags = (command: Command): Command =>
  command
    .option('--name <name>', "name of the service (default: the object's)")
    .option('--port <port>', "port of the service, or several by commas (default: the object's)")
    .option('--target-port <port>', 'number or name of the port of the pods')
    .option('--protocol <name>', "TCP, UDP or SCTP (default: the object's)")
    .option('--type <type>', 'ClusterIP, NodePort, LoadBalancer or ExternalName')
    .option('--selector <labels>', "NAME=value of the pods (default: the object's)")
    .option('-l, --labels <labels>', "labels of the service, NAME=value (default: the object's)")
    .option('--cluster-ip <ip>', 'its address; None for none')
    .option('--external-ip <ip>', 'another address that is the service')
    .option('--load-balancer-ip <ip>', 'address of the load balancer')
    .option('--session-affinity <kind>', 'None or ClientIP');
