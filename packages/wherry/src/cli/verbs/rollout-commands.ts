import { type Command, Option } from 'commander';
import type { RolloutFlags } from '../../commands/rollout/flags.ts';
import type { RolloutStatusFlags } from '../../commands/rollout/status.ts';
import type { RolloutUndoFlags } from '../../commands/rollout/undo.ts';
import { dryRunOption } from '../flags/change-flags.ts';
import { asGroup } from '../flags/command-group.ts';
import { parseSignedDuration } from '../flags/duration.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { parseInteger, withOutput } from '../flags/options.ts';
import { withSelection } from '../flags/selection-flags.ts';

const usage = '(TYPE NAME | TYPE/NAME | TYPE -l SELECTOR | -f FILE | -k FOLDER) [flags]';

/** `rollout status | restart | undo | history | pause | resume`. */
export function addRollout(program: Command): Command[] {
  const rollout = asGroup(program.command('rollout')).description(
    'look after the rollouts of Deployments, DaemonSets and StatefulSets',
  );
  return [
    addStatus(rollout),
    addRestart(rollout),
    addUndo(rollout),
    addHistory(rollout),
    addPause(rollout),
    addResume(rollout),
  ];
}

const selecting = (command: Command): Command => withSelection(withKubeFlags(command)).usage(usage);
const telling = (command: Command): Command =>
  withOutput(selecting(command), ['json', 'yaml', 'name']).option(
    '--show-managed-fields',
    'with -o: who manages which field too',
  );
const managing = (command: Command): Command =>
  telling(command).option('--field-manager <name>', 'in whose name fields are managed', 'wherry-rollout');

function requireResource(words: readonly string[], { filename }: RolloutFlags, self: Command): void {
  if (words.length === 0 && !filename) self.error('error: required resource not specified');
}

function addStatus(rollout: Command): Command {
  return selecting(rollout.command('status'))
    .description('print how far a rollout is, until it is done')
    .option('-w, --watch', 'until it is done', true)
    .option('--no-watch', 'once')
    .option('--revision <n>', 'of this revision alone; 0 for the last', parseInteger, 0)
    .addOption(
      new Option('--timeout <duration>', 'how long to watch; 0 for as long as it takes')
        .argParser(parseSignedDuration)
        .default(0, '0s'),
    )
    .action(async (words: string[], flags: RolloutStatusFlags, self: Command) => {
      requireResource(words, flags, self);
      await (await import('../../commands/rollout/status.ts')).rolloutStatus(words, flags);
    });
}

function addRestart(rollout: Command): Command {
  return managing(rollout.command('restart'))
    .description('have pods made anew, a few at a time')
    .action(async (words: string[], flags: RolloutFlags, self: Command) => {
      requireResource(words, flags, self);
      await (await import('../../commands/rollout/template-changes.ts')).rolloutRestart(words, flags);
    });
}

function addUndo(rollout: Command): Command {
  return telling(rollout.command('undo'))
    .description('give back the pod template of an earlier revision')
    .option('--to-revision <n>', 'this one; 0 for the one before the last', parseInteger, 0)
    .addOption(dryRunOption())
    .action(async (words: string[], flags: RolloutUndoFlags, self: Command) => {
      requireResource(words, flags, self);
      await (await import('../../commands/rollout/undo.ts')).rolloutUndo(words, flags);
    });
}

function addHistory(rollout: Command): Command {
  return telling(rollout.command('history'))
    .description('list the revisions that are kept')
    .option('--revision <n>', 'print the pod template of this one', parseInteger, 0)
    .action(async (words: string[], flags: RolloutFlags & { revision: number }, self: Command) => {
      requireResource(words, flags, self);
      await (await import('../../commands/rollout/history.ts')).rolloutHistory(words, flags);
    });
}

function addPause(rollout: Command): Command {
  return managing(rollout.command('pause'))
    .description('let changes of Deployments wait')
    .action(async (words: string[], flags: RolloutFlags, self: Command) => {
      requireResource(words, flags, self);
      await (await import('../../commands/rollout/template-changes.ts')).rolloutPause(words, flags);
    });
}

function addResume(rollout: Command): Command {
  return managing(rollout.command('resume'))
    .description('let Deployments that were paused go on')
    .action(async (words: string[], flags: RolloutFlags, self: Command) => {
      requireResource(words, flags, self);
      await (await import('../../commands/rollout/template-changes.ts')).rolloutResume(words, flags);
    });
}
