import { collect, collectList, parsePort } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { RunFlags } from '../commands/objects/run.ts';
import { saveConfigOption, withOverrides } from './flags/change-flags.ts';
import { parsePodTimeout } from './flags/duration.ts';
import { withKubeFlags } from './flags/kube-flags.ts';
import { transportOption, withOutput } from './flags/options.ts';
import { usageError } from './flags/usage-errors.ts';

const defaultPodTimeoutMs = 60_000;

/** `run`: a pod of one container. */
export function addRun(program: Command): Command {
  const command = withOutput(withKubeFlags(program.command('run')), ['json', 'yaml', 'name'])
    .description('create a pod of one container')
    .usage('NAME --image=IMAGE [flags] [-- [COMMAND] [args...]]')
    .argument('[words...]', 'name of the pod; behind --: arguments, or with --command the command')
    .requiredOption('--image <name>', 'image')
    .option('--command', 'the words behind -- are the command, in place of the one of the image')
    .option('--env <name=value>', 'environment variable; may be repeated', collect)
    .option('-l, --labels <list>', 'labels, NAME=value', collectList)
    .option('--port <port>', 'port that the container listens at', parsePort)
    .option('--privileged', 'as a privileged container');
  return withSession(withChoices(command)).action(
    async ([name, ...words]: string[], flags: RunFlags, self: Command) => {
      if (name === undefined) usageError(self, 'NAME is required for run');
      await (await import('../commands/objects/run.ts')).run(name, words, flags);
    },
  );
}

function withChoices(command: Command): Command {
  return withOverrides(command)
    .addOption(
      new Option('--image-pull-policy <policy>', 'when to pull').choices(['Always', 'IfNotPresent', 'Never']),
    )
    .addOption(
      new Option('--restart <policy>', 'when the container starts again')
        .choices(['Always', 'OnFailure', 'Never'])
        .default('Always'),
    )
    .addOption(
      new Option('--dry-run <where>', 'do everything but store').choices(['none', 'client', 'server']),
    )
    .addOption(saveConfigOption());
}

function withSession(command: Command): Command {
  return command
    .option('-i, --stdin', 'pass stdin on')
    .option('-t, --tty', 'stdin is a terminal')
    .option('--attach', 'join the container (default with -i and -t)')
    .option('--rm', 'delete the pod when the session ends')
    .option('-q, --quiet', 'print only what the remote side prints')
    .addOption(
      new Option('--pod-running-timeout <duration>', 'how long to wait for the pod to run')
        .argParser(parsePodTimeout)
        .default(defaultPodTimeoutMs, '1m0s'),
    )
    .addOption(transportOption());
}
