import { type Command, Option } from 'commander';
import type { AttachFlags } from '../commands/attach.ts';
import type { CpFlags } from '../commands/cp.ts';
import type { ExecFlags } from '../commands/exec.ts';
import type { LogsFlags } from '../commands/logs.ts';
import type { PortForwardFlags } from '../commands/port-forward.ts';
import { parseDuration } from './duration.ts';
import { collectList, parseWhole } from './options.ts';

const defaultPodTimeoutMs = 60_000;
const defaultLogRequestsMax = 5;
const defaultCopyRetries = 5;

/** `exec`, `attach`, `port-forward`, `logs`, `cp`: kubectl's flags, against any cluster. */
export function addStreamCommands(program: Command): void {
  addExec(program);
  addAttach(program);
  addPortForward(program);
  addLogs(program);
  addCopy(program);
}

/** kubectl's flags about which cluster, as whom, and where. */
export function withKubeFlags(command: Command): Command {
  return command
    .option('-n, --namespace <name>', "namespace (default: the context's)")
    .option('--kubeconfig <file>', "kubeconfig (default: $KUBECONFIG, ~/.kube/config, then the local node's)")
    .option('--context <name>', 'context of the kubeconfig')
    .option('--cluster <name>', 'cluster of the kubeconfig')
    .option('--user <name>', 'user of the kubeconfig')
    .option('-s, --server <url>', 'URL of the API server')
    .option('--token <token>', 'bearer token')
    .option('--data-dir <dir>', 'talk to the node in this folder');
}

function withStreamFlags(command: Command): Command {
  return withKubeFlags(command).addOption(
    new Option('--transport <name>', 'auto tries WebSocket, then SPDY')
      .choices(['auto', 'websocket', 'spdy'])
      .default('auto'),
  );
}

function withSessionFlags(command: Command): Command {
  return withStreamFlags(command)
    .option('-c, --container <name>', 'container (default: the annotated one, else the first)')
    .option('-i, --stdin', 'pass stdin on')
    .option('-t, --tty', 'stdin is a terminal')
    .option('-q, --quiet', 'print only what the remote side prints');
}

function withPodTimeout(command: Command): Command {
  const option = new Option('--pod-running-timeout <duration>', 'how long to wait for the pod to run');
  return command.addOption(option.argParser(parseDuration).default(defaultPodTimeoutMs, '1m'));
}

function addExec(program: Command): void {
  withPodTimeout(withSessionFlags(program.command('exec')))
    .description('run a command in a container')
    .usage('(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]')
    .argument('<target>', 'pod, or TYPE/NAME')
    .argument('[command...]', 'command, behind --')
    .action(async (target: string, command: string[], flags: ExecFlags) => {
      refuseMissingDashes(command);
      await (await import('../commands/exec.ts')).exec(target, command, flags);
    });
}

/** Words that come without `--` in front were accepted once; kubectl refuses them now, and so does this. */
function refuseMissingDashes(command: string[]): void {
  if (command.length === 0 || process.argv.includes('--')) return;
  console.error(
    'error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\n' +
      "See 'wherry exec -h' for help and examples",
  );
  process.exit(1);
}

function addAttach(program: Command): void {
  withPodTimeout(withSessionFlags(program.command('attach')))
    .description("join a container's running process")
    .argument('<target>', 'pod, or TYPE/NAME')
    .option('--detach-keys <keys>', 'keys that end the session and leave the process', 'ctrl-p,ctrl-q')
    .action(async (target: string, flags: AttachFlags) => {
      await (await import('../commands/attach.ts')).attach(target, flags);
    });
}

function addPortForward(program: Command): void {
  withPodTimeout(withStreamFlags(program.command('port-forward')))
    .description('forward local ports to a pod, or to the pods behind a service or workload')
    .argument('<target>', 'pod, or TYPE/NAME')
    .argument('<ports...>', '[LOCAL]:REMOTE, or PORT; REMOTE may be a name')
    .option('--address <list>', 'addresses to listen on (default: localhost)', collectList)
    .action(async (target: string, ports: string[], flags: PortForwardFlags) => {
      const { portForward } = await import('../commands/port-forward.ts');
      await portForward(target, ports, { ...flags, address: flags.address ?? ['localhost'] });
    });
}

function addLogs(program: Command): void {
  withKubeFlags(program.command('logs'))
    .description("print a container's log")
    .argument('[target]', 'pod, or TYPE/NAME')
    .option('-c, --container <name>', 'container (default: the annotated one, else the first)')
    .option('--all-containers', 'all containers of the pod')
    .option('-l, --selector <selector>', 'pods that the label selector finds')
    .option('--prefix', 'name pod and container in front of each line')
    .option('--max-log-requests <n>', 'logs followed at once', parseWhole, defaultLogRequestsMax)
    .option('-f, --follow', 'go on as more is written; a cut connection is resumed')
    .option('--tail <lines>', 'the last so many lines', parseTail)
    .option('--since <duration>', 'newer than this, e.g. 10m', parseDuration)
    .option('--since-time <time>', 'newer than this time (RFC 3339)')
    .option('--timestamps', 'a timestamp in front of each line')
    .option('-p, --previous', 'the instance before the last restart')
    .option('--limit-bytes <bytes>', 'at most so many bytes', parseWhole)
    .action(async (target: string | undefined, flags: LogsFlags) => {
      await (await import('../commands/logs.ts')).logs(target, flags);
    });
}

function addCopy(program: Command): void {
  withStreamFlags(program.command('cp'))
    .description('copy files and folders between this machine and a container, checked by hash')
    .usage('[[NAMESPACE/]POD:]SOURCE [[NAMESPACE/]POD:]DESTINATION')
    .argument('<source>', 'local path, or POD:PATH')
    .argument('<destination>', 'local path, or POD:PATH')
    .option('-c, --container <name>', 'container (default: the annotated one, else the first)')
    .option('--no-preserve', 'leave owner and permissions to the receiving side')
    .option('--retries <n>', 'times that a cut copy is taken up again', parseWhole, defaultCopyRetries)
    .action(async (source: string, destination: string, flags: CpFlags) => {
      await (await import('../commands/cp.ts')).cp(source, destination, flags);
    });
}

/** -1 stands for the whole log, as in kubectl. */
function parseTail(value: string): number | undefined {
  return value === '-1' ? undefined : parseWhole(value);
}
