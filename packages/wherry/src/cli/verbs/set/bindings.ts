import type { Command } from 'commander';
import type { SetSelectorFlags } from '../../../commands/set/selector.ts';
import type { SetSubjectFlags } from '../../../commands/set/subject.ts';
import { recursing } from '../../flags/selection-flags.ts';
import { withSubjects } from '../../flags/subject-flags.ts';
import { setting, someObjects } from './setting.ts';

/** `set selector | subject`: what services and role bindings lead to. */
export const addSetBindings = (set: Command): Command[] => [addSelector(set), addSubject(set)];

function addSelector(set: Command): Command {
  return recursing(setting(set, 'selector', { hasSelector: false }))
    .description('have services lead to other pods')
    .usage('(TYPE NAME | TYPE/NAME | TYPE --all | -f FILE) LABEL=VALUE,... [flags]')
    .option('--resource-version <version>', 'only if this is its version now')
    .action(async (words: string[], flags: SetSelectorFlags) =>
      (await import('../../../commands/set/selector.ts')).setSelector(words, flags),
    );
}

function addSubject(set: Command): Command {
  return withSubjects(setting(set, 'subject', { hasUserFlag: false, hasRecord: false }))
    .description('have role bindings bind somebody more')
    .usage(`${someObjects} [--user=NAME] [--group=NAME] [--serviceaccount=NAMESPACE:NAME] [flags]`)
    .action(async (words: string[], flags: SetSubjectFlags) =>
      (await import('../../../commands/set/subject.ts')).setSubject(words, flags),
    );
}
