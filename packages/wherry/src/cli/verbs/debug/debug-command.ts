import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { DebugFlags } from '../../../commands/debug/flags.ts';
import { wordsBeforeDashes } from '../../flags/exec-words.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { transportOption } from '../../flags/options.ts';
import { collectPairs } from '../../flags/pairs-flag.ts';

/** `debug`. */
export function addDebug(program: Command): Command {
  const command = withKubeFlags(program.command('debug'), { hasProfileFlag: false })
    .description(
      'look into a pod from a container beside it, a changed copy of it, or a node from a pod on it',
    )
    .usage('(POD | TYPE/NAME) --image=IMAGE [flags] [-- COMMAND [args...]]')
    .argument('[words...]', 'pods, or node/NAME, then the command behind --')
    .option('-f, --filename <path>', 'file, folder, URL, or - that holds the pod or node', collect);
  return withCopyFlags(withContainerFlags(command)).action(async (words: string[], flags: DebugFlags) => {
    const before = wordsBeforeDashes(words);
    const { debug } = await import('../../../commands/debug/debug.ts');
    await debug(words.slice(0, before), words.slice(before), flags);
  });
}

function withContainerFlags(command: Command): Command {
  return command
    .option('--image <name>', 'image of the container')
    .option('-c, --container <name>', 'its name (default: debugger-xxxxx); of a copy, one that is there, too')
    .option('--target <container>', 'the container of the pod whose processes it sees')
    .addOption(profileOption())
    .option('--custom <file>', 'a part of a container, JSON or YAML, that goes before the profile')
    .option('--arguments-only', 'the words behind -- are arguments of the command of the image')
    .option('--env <name=value>', 'environment variables, by commas; may be repeated', collectPairs)
    .addOption(pullPolicyOption())
    .option('-i, --stdin', 'pass stdin on')
    .option('-t, --tty', 'stdin is a terminal')
    .option('--attach', 'join the container once it runs (default with -i)')
    .addOption(new Option('--no-attach').hideHelp())
    .option('-q, --quiet', 'print only what the remote side prints')
    .addOption(transportOption());
}

function withCopyFlags(command: Command): Command {
  return command
    .option('--copy-to <name>', 'change a copy of the pod, which has this name')
    .option(
      '--set-image <name=image>',
      'other images of its containers, * for all; may be repeated',
      collectPairs,
    )
    .option('--replace', 'delete the pod')
    .option('--same-node', 'the copy comes to the node of the pod')
    .option('--share-processes', 'its containers see the processes of each other (default, but for legacy)')
    .addOption(new Option('--no-share-processes').hideHelp())
    .option('--keep-labels', 'it has the labels of the pod')
    .option('--keep-annotations', 'it has the annotations of the pod')
    .option('--keep-liveness', 'it has the liveness probes of the pod')
    .option('--keep-readiness', 'it has the readiness probes of the pod')
    .option('--keep-startup', 'it has the startup probes of the pod')
    .option('--keep-init-containers', 'it has the init containers of the pod (default)')
    .addOption(new Option('--no-keep-init-containers').hideHelp());
}

/** Wrong names are refused where flags are read together, in kubectl's order. */
function profileOption(): Option {
  const option = new Option('--profile <name>', 'what the container may do').default('general');
  // For the help and for completion.
  option.argChoices = ['general', 'baseline', 'restricted', 'netadmin', 'sysadmin'];
  return option;
}

function pullPolicyOption(): Option {
  const option = new Option('--image-pull-policy <policy>', 'when to pull');
  // For the help and for completion.
  option.argChoices = ['Always', 'IfNotPresent', 'Never'];
  return option;
}
