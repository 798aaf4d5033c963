import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { RunFlags } from '../../commands/run/run.ts';
import { CommandError } from '../../errors.ts';
import { defaultDetachKeys } from '../../terminal/detach-keys.ts';
import { isImageName } from '../../words/image-name.ts';
import { dryRunOption, saveConfigOption, withOverrides } from '../flags/change-flags.ts';
import { cascadeOption, deletionTimeoutOption, gracePeriodOption } from '../flags/deletion-flags.ts';
import { parsePodTimeout } from '../flags/duration.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { transportOption, withOutput } from '../flags/options.ts';
import { withRecord } from '../flags/record-flag.ts';
import { usageError, withRefused } from '../flags/usage-errors.ts';

const defaultPodTimeoutMs = 60_000;
const restartPolicies = ['Always', 'OnFailure', 'Never'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

/** `run`: a pod of one container. */
export function addRun(program: Command): Command {
  const command = withOutput(withRecord(withKubeFlags(program.command('run'))), ['json', 'yaml', 'name'])
    .description('create a pod of one container')
    .usage('NAME --image=IMAGE [flags] [-- [COMMAND] [args...]]')
    .argument('[words...]', 'name of the pod; behind --: arguments, or with --command the command')
    .option('--image <name>', 'image')
    .option('--command', 'the words behind -- are the command, in place of the one of the image')
    .option('--env <name=value>', 'environment variable; may be repeated', collect)
    .option('-l, --labels <list>', 'labels, KEY=VALUE,…')
    .option('--annotations <key=value>', 'annotation; may be repeated', collect)
    .option('--port <port>', 'port that the container listens at')
    .option('--expose', 'a service for the pod too, at its port')
    .option('--privileged', 'as a privileged container');
  withRefused(
    command,
    ['-f, --filename <path>', '-k, --kustomize <folder>', '-R, --recursive'],
    'is about files, of which run reads none, nor does kubectl run; "wherry create" makes what they say',
  );
  return withSession(withChoices(command)).action(
    async ([name, ...words]: string[], flags: RunFlags, self: Command) => {
      if (flags.image === undefined) self.error('error: required flag(s) "image" not set');
      if (name === undefined) usageError(self, 'NAME is required for run');
      check(flags, self);
      await (await import('../../commands/run/run.ts')).run(name, words, flags);
    },
  );
}

function withChoices(command: Command): Command {
  return withOverrides(command)
    .addOption(choice('--image-pull-policy <policy>', 'when to pull', pullPolicies))
    .addOption(
      choice('--restart <policy>', 'when the container starts again', restartPolicies).default('Always'),
    )
    .addOption(dryRunOption())
    .addOption(saveConfigOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-run')
    .option('--show-managed-fields', 'with -o: who manages which field too');
}

/** A flag whose choices are told by the help and by completion; {@link check} refuses others. */
function choice(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description);
  option.argChoices = [...choices];
  return option;
}

function withSession(command: Command): Command {
  return command
    .option('-i, --stdin', 'pass stdin on')
    .option('--leave-stdin-open', 'with -i: a session that ends leaves the stdin of the container open')
    .option('-t, --tty', 'stdin is a terminal')
    .option('--attach', 'join the container (default with -i)')
    .addOption(new Option('--no-attach').hideHelp())
    .option('--rm', 'delete what was created when the session ends')
    .addOption(cascadeOption())
    .addOption(gracePeriodOption())
    .option('--force', 'with --rm: at once, without waiting for what runs')
    .option('--wait', 'with --rm: until what is deleted is gone')
    .addOption(deletionTimeoutOption('as long as it takes'))
    .option('-q, --quiet', 'print only what the remote side prints')
    .option('--detach-keys <keys>', 'keys that end the session and leave the process', defaultDetachKeys)
    .addOption(
      new Option('--pod-running-timeout <duration>', 'how long to wait for the pod to run')
        .argParser(parsePodTimeout)
        .default(defaultPodTimeoutMs, '1m0s'),
    )
    .addOption(transportOption());
}

/** Ends for what does not go together, in kubectl's order and words. */
function check(flags: RunFlags, self: Command): void {
  const { image, imagePullPolicy = '', restart, stdin, tty, attach = stdin } = flags;
  if (image === '') throw new CommandError('--image is required');
  if (!isImageName(image))
    throw new CommandError(`Invalid image name ${JSON.stringify(image)}: invalid reference format`);
  if (tty && !stdin) usageError(self, '-i/--stdin is required for containers with -t/--tty=true');
  if (flags.expose && !flags.port) usageError(self, '--port must be set when exposing a service');
  if (restart !== '' && !restartPolicies.includes(restart))
    usageError(self, `invalid restart policy: ${restart}`);
  if (flags.force && flags.gracePeriod > 0)
    throw new CommandError('--force and --grace-period greater than 0 cannot be specified together');
  if (flags.rm && !attach) usageError(self, '--rm should only be used for attached containers');
  if (attach && flags.dryRun !== 'none')
    usageError(
      self,
      "--dry-run=[server|client] can't be used with attached containers options (--attach, --stdin, or --tty)",
    );
  if (imagePullPolicy !== '' && !pullPolicies.includes(imagePullPolicy))
    usageError(self, `invalid image pull policy: ${imagePullPolicy}`);
}
