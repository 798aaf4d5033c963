import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { WaitFlags } from '../../commands/wait/wait.ts';
import { parseSignedDuration } from '../flags/duration.ts';
import { withKubeFlags } from '../flags/kube-flags.ts';
import { withOutput } from '../flags/options.ts';
import { recursing, withWideSelection } from '../flags/selection-flags.ts';
import { withRefused } from '../flags/usage-errors.ts';

const defaultTimeoutMs = 30_000;

/** `wait`. */
export function addWait(program: Command): Command {
  const command = withOutput(
    recursing(withWideSelection(withKubeFlags(program.command('wait')), { hasKustomize: false })),
    ['json', 'yaml', 'name'],
  );
  return withRefused(
    command,
    ['--local'],
    'asks no server, and only a server tells what becomes of an object',
  )
    .description('wait until objects are there, are gone, or are as they should be')
    .usage('(TYPE NAME... | TYPE/NAME... | TYPE (-l SELECTOR | --all) | -f FILE) --for=CONDITION [flags]')
    .option(
      '--for <condition>',
      'create, delete, condition=NAME[=VALUE] or jsonpath=PATH[=VALUE]; may be repeated',
      collect,
    )
    .addOption(
      new Option('--timeout <duration>', 'for all of them; 0 looks once, below 0 is a week')
        .argParser(parseSignedDuration)
        .default(defaultTimeoutMs, '30s'),
    )
    .option('--show-managed-fields', 'with -o: who manages which field too')
    .action(async (words: string[], flags: WaitFlags) =>
      (await import('../../commands/wait/wait.ts')).wait(words, flags),
    );
}
