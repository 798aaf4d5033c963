import { type Command, Option } from 'commander';
import type { ListFlags } from '../commands/cri/lists.ts';
import type { CriStreamFlags } from '../commands/cri/sessions.ts';
import { parseDuration } from './flags/duration.ts';
import { withOutput } from './flags/options.ts';

const lists = () => import('../commands/cri/lists.ts');
const sessions = () => import('../commands/cri/sessions.ts');

/** `cri …`: a look at, and sessions with, any CRI runtime. */
export function addCriCommands(program: Command): void {
  const cri = program.command('cri').description('talk to a container runtime over its CRI socket');
  addLists(cri);
  addSessions(cri);
}

function addLists(cri: Command): void {
  withOutput(subcommand(cri, 'ps', 'list containers'))
    .option('-a, --all', 'ended ones too')
    .action(async (flags: ListFlags) => (await lists()).listContainers(flags));
  withOutput(subcommand(cri, 'pods', 'list pod sandboxes')).action(async (flags: ListFlags) =>
    (await lists()).listPods(flags),
  );
  withOutput(subcommand(cri, 'images', 'list images')).action(async (flags: ListFlags) =>
    (await lists()).listCriImages(flags),
  );
  withOutput(
    subcommand(cri, 'inspect <container>', 'print all that is known of a container, by id or name'),
    ['json', 'yaml'],
  )
    .option('--pod', 'of a pod sandbox instead')
    .action(async (text: string, flags: ListFlags) => (await lists()).inspect(text, flags));
  withOutput(subcommand(cri, 'stats', 'what containers use')).action(async (flags: ListFlags) =>
    (await lists()).stats(flags),
  );
  subcommand(cri, 'events', 'container events as they happen').action(async (flags: ListFlags) =>
    (await lists()).events(flags),
  );
}

function addSessions(cri: Command): void {
  withStreams(subcommand(cri, 'exec <container> [command...]', 'run a command in a container'))
    .option('--sync', 'by ExecSync, without streams')
    .option('--timeout <duration>', 'with --sync: kill the command after this', parseDuration)
    .action(async (text: string, command: string[], flags: CriStreamFlags) =>
      (await sessions()).criExec(text, command, flags),
    );
  withStreams(subcommand(cri, 'attach <container>', 'join the process of a container')).action(
    async (text: string, flags: CriStreamFlags) => (await sessions()).criAttach(text, flags),
  );
  subcommand(cri, 'port-forward <pod> <ports...>', 'forward local ports to a pod sandbox')
    .addOption(transportOption())
    .action(async (text: string, ports: string[], flags: CriStreamFlags) =>
      (await sessions()).criPortForward(text, ports, flags),
    );
}

function subcommand(cri: Command, usage: string, description: string): Command {
  return cri
    .command(usage)
    .description(description)
    .option(
      '-r, --runtime-endpoint <socket>',
      'CRI socket (default: $CONTAINER_RUNTIME_ENDPOINT, then the usual places)',
    )
    .option('--data-dir <dir>', 'the runtime of the node in this folder');
}

function withStreams(command: Command): Command {
  return command
    .option('-i, --stdin', 'pass stdin on')
    .option('-t, --tty', 'stdin is a terminal')
    .addOption(transportOption());
}

function transportOption(): Option {
  return new Option('--transport <name>', 'auto tries WebSocket, then SPDY')
    .choices(['auto', 'websocket', 'spdy'])
    .default('auto');
}
