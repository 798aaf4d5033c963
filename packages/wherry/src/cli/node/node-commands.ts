import { defaultDataDir } from '@wherry/node/layout';
import {
  collect,
  collectList,
  collectPrograms,
  collectSwitches,
  parsePort,
  parseWhole,
} from '@wherry/node/roles';
import type { Command } from 'commander';
import type { DoctorOptions } from '../../commands/node/doctor.ts';
import type { DownOptions } from '../../commands/node/down.ts';
import type { ChangeKubeconfigOptions, KubeconfigOptions } from '../../commands/node/kubeconfig.ts';
import type { StatusOptions } from '../../commands/node/status.ts';
import type { UpOptions } from '../../commands/node/wanted-nodes.ts';
import { dataDirOption, parseNodeName, withOutput } from '../flags/options.ts';

const defaultReadySeconds = 60;

/** `up`, `down`, `status`, `doctor`: the life of a node. */
export function addNodeCommands(program: Command): void {
  program
    .command('up')
    .description('bring a node up, or bring back what is missing of it')
    .option('--data-dir <dir>', `folder of the node (default: "${defaultDataDir}")`)
    .option('--config <file>', 'what nodes are to be up: ports, mirrors, proxies, images and more, YAML')
    .option('--name <node>', 'name of the node (default: the host name)', parseNodeName)
    .option(
      '--api-port <port>',
      'port of the API server, 0 for any (default: 6443, or any when that is taken)',
      parsePort,
    )
    .option(
      '--kubelet-port <port>',
      'port of the kubelet, 0 for any (default: 10250, or any when taken)',
      parsePort,
    )
    .option(
      '--registry-config <dir>',
      "mirrors and certificates of registries: containerd's HOST/hosts.toml, or registries.conf",
    )
    .option(
      '--pod-cidr <cidrs>',
      "addresses of a new node's pods, one range or one of each family: 10.244.0.0/24,fd00:10:244::/64 (default: a free /24 of 10.88.0.0/16)",
    )
    .option(
      '--cni-conf-dir <dir>',
      "a new node's pods are connected by CNI: the folder's first file is their network",
    )
    .option('--cni-bin-dir <dirs>', 'folders of CNI plug-ins (default: /opt/cni/bin)', collectList)
    .option(
      '--runtime-config <switches>',
      'serve API groups and versions or not, e.g. apps/v1=true,batch/v1=false',
      collectSwitches,
    )
    .option(
      '--runtime-handler <name=program>',
      'a handler that RuntimeClasses may name, by its OCI runtime: crun=/usr/bin/crun; may be repeated',
      collectPrograms,
    )
    .option(
      '--nri-socket <socket|none>',
      'where plug-ins of the Node Resource Interface connect (default: none can)',
    )
    .option('--image <name|file>', 'pull this image, or load this archive; may be repeated', collect)
    .option('--manifests <path>', 'apply these objects: file, folder or URL; may be repeated', collect)
    .option('--detach', 'return when the node is Ready; it lives on')
    .option('--keep-pods', 'in the foreground: Ctrl-C ends the processes alone, containers run on')
    .option(
      '--ready-timeout <seconds>',
      'how long the parts may take to be ready',
      parseWhole,
      defaultReadySeconds,
    )
    .option('--demo', 'build a small image and run a pod from it')
    .action(async (options: UpOptions) => (await import('../../commands/node/up.ts')).up(options));
  program
    .command('down')
    .description('end a node and its pods')
    .addOption(dataDirOption())
    .option('--keep-pods', 'end the processes alone: containers run on, and "wherry up" finds them')
    .option('--purge', 'remove everything of it: files, mounts, namespaces, cgroups, bridge')
    .action(async (options: DownOptions) => (await import('../../commands/node/down.ts')).down(options));
  program
    .command('__kubeconfig', { hidden: true })
    .requiredOption('--file <path>')
    .option('--merge')
    .option('--remove <name>')
    .action(async (options: ChangeKubeconfigOptions) =>
      (await import('../../commands/node/kubeconfig.ts')).changeKubeconfig(options),
    );
  program
    .command('kubeconfig')
    .description("print a node's kubeconfig")
    .addOption(dataDirOption())
    .option('--merge', "put it into the user's own as the current context, instead of printing it")
    .action(async (options: KubeconfigOptions) =>
      (await import('../../commands/node/kubeconfig.ts')).kubeconfig(options),
    );
  withOutput(program.command('status'), ['json', 'yaml', 'name'])
    .description('say what lives of a node and where it is reached')
    .addOption(dataDirOption())
    .action(async (options: StatusOptions) =>
      (await import('../../commands/node/status.ts')).status(options),
    );
  withOutput(program.command('doctor'), ['json', 'yaml'])
    .description('say what this machine offers to a node, and what is lost without the rest')
    .action(async (options: DoctorOptions) =>
      (await import('../../commands/node/doctor.ts')).doctor(options),
    );
}
