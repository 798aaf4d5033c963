import { collect, collectList } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { AttachFlags } from '../commands/kube/attach.ts';
import type { CpFlags } from '../commands/kube/cp.ts';
import type { ExecFlags } from '../commands/kube/exec.ts';
import type { PortForwardFlags } from '../commands/kube/port-forward.ts';
import { defaultDetachKeys } from '../terminal/detach-keys.ts';
import { parsePodTimeout } from './flags/duration.ts';
import { splitAtDashes } from './flags/exec-words.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { parseInteger, transportOption } from './flags/options.ts';
import { usageError, withKubectlErrors } from './flags/usage-errors.ts';
import { addLogs } from './logs-command.ts';
import { addDebug } from './verbs/debug/debug-command.ts';

const defaultPodTimeoutMs = 60_000;
const defaultCopyRetries = 5;

/** `exec`, `attach`, `port-forward`, `logs`, `cp`, `debug`: kubectl's flags, against any cluster. */
export function addStreamCommands(program: Command): Command[] {
  return [
    addExec(program),
    addAttach(program),
    addPortForward(program),
    addLogs(program),
    addCopy(program),
    addDebug(program),
  ].map(withKubectlErrors);
}

const withStreamFlags = (command: Command): Command => withKubeFlags(command).addOption(transportOption());

function withSessionFlags(command: Command): Command {
  return withPodTimeout(withStreamFlags(command))
    .option('-c, --container <name>', 'container (default: the annotated one, else the first)')
    .option('-i, --stdin', 'pass stdin on')
    .option('-t, --tty', 'stdin is a terminal')
    .option('-q, --quiet', 'print only what the remote side prints');
}

function withPodTimeout(command: Command): Command {
  const option = new Option('--pod-running-timeout <duration>', 'how long to wait for the pod to run');
  return command.addOption(option.argParser(parsePodTimeout).default(defaultPodTimeoutMs, '1m0s'));
}

function addExec(program: Command): Command {
  return withSessionFlags(program.command('exec'))
    .description('run a command in a container')
    .usage('(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]')
    .argument('[words...]', 'pod or TYPE/NAME, then the command behind --')
    .option('-f, --filename <file>', 'the file that the pod or its owner was created from', collect)
    .action(async (words: string[], flags: ExecFlags, self: Command) => {
      const { target, command } = splitAtDashes(words, flags, self);
      await (await import('../commands/kube/exec.ts')).exec(target, command, flags);
    });
}

function addAttach(program: Command): Command {
  return withSessionFlags(program.command('attach'))
    .description("join a container's running process")
    .usage('(POD | TYPE/NAME) -c CONTAINER [flags]')
    .argument('[words...]', 'pod, or TYPE/NAME')
    .option('--detach-keys <keys>', 'keys that end the session and leave the process', defaultDetachKeys)
    .action(async ([target, ...more]: string[], flags: AttachFlags, self: Command) => {
      if (target === undefined) self.error('error: at least 1 argument is required for attach');
      if (more.length > 0) usageError(self, 'expected a single POD or TYPE/NAME');
      await (await import('../commands/kube/attach.ts')).attach(target, flags);
    });
}

function addPortForward(program: Command): Command {
  return withPodTimeout(withStreamFlags(program.command('port-forward')))
    .description('forward local ports to a pod, or to the pods behind a service or workload')
    .usage('TYPE/NAME [flags] [LOCAL_PORT:]REMOTE_PORT [...]')
    .argument('[words...]', 'pod or TYPE/NAME, then [LOCAL]:REMOTE or PORT; REMOTE may be a name')
    .option('--address <list>', 'addresses to listen on (default: localhost)', collectList)
    .action(async ([target, ...ports]: string[], flags: PortForwardFlags, self: Command) => {
      if (target === undefined || ports.length === 0) {
        usageError(self, 'TYPE/NAME and list of ports are required for port-forward');
      }
      const { portForward } = await import('../commands/kube/port-forward.ts');
      await portForward(target, ports, { ...flags, address: flags.address ?? ['localhost'] });
    });
}

function addCopy(program: Command): Command {
  return withStreamFlags(program.command('cp'))
    .description('copy files and folders between this machine and a container, checked by hash')
    .usage('[[NAMESPACE/]POD:]SOURCE [[NAMESPACE/]POD:]DESTINATION')
    .argument('[words...]', 'source and destination: local path, or POD:PATH')
    .option('-c, --container <name>', 'container (default: the annotated one, else the first)')
    .option('--no-preserve', 'leave owner and permissions to the receiving side')
    .option(
      '--retries <n>',
      'times that a cut copy is taken up again; below 0 for ever',
      parseInteger,
      defaultCopyRetries,
    )
    .action(async ([source, destination, ...more]: string[], flags: CpFlags, self: Command) => {
      if (source === undefined || destination === undefined || more.length > 0) {
        self.error('error: source and destination are required');
      }
      await (await import('../commands/kube/cp.ts')).cp(source, destination, flags);
    });
}
