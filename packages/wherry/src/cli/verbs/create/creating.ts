import type { KubeClient, KubeObject } from '@wherry/client';
import type { Command } from 'commander';
import type { CreateOneFlags } from '../../../commands/create/create-one.ts';
import { dryRunOption, saveConfigOption } from '../../flags/change-flags.ts';
import { wordsBeforeDashes } from '../../flags/exec-words.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { usageError } from '../../flags/usage-errors.ts';
import { validateOption } from '../../flags/validate-option.ts';

/** What the object of a command line is made of. */
export interface Given<F> {
  name: string;
  /** What stands behind the name. */
  command: string[];
  flags: F & CreateOneFlags;
  client: () => KubeClient;
}

/** A command below `create`, with the flags that all of them have. */
export function creating(parent: Command, kind: string, { hasUserFlag = true } = {}): Command {
  return withOutput(withKubeFlags(parent.command(kind), { hasUserFlag }), ['json', 'yaml', 'name'])
    .usage('NAME [flags]')
    .argument('[words...]', 'its name')
    .addOption(dryRunOption())
    .addOption(saveConfigOption())
    .addOption(validateOption())
    .option('--field-manager <name>', 'in whose name fields are managed', 'wherry-create')
    .option('--show-managed-fields', 'with -o: who manages which field too');
}

/** What a command needs to be given. */
export interface Needs {
  /** Flags by their names. */
  required?: readonly string[];
  /** A command may stand behind the name. */
  takesCommand?: boolean;
}

/** Creates what `make` makes of a command line. */
export function making<F>(
  command: Command,
  make: (given: Given<F>) => Promise<KubeObject>,
  needs: Needs = {},
): Command {
  return command.action(async (words: string[], flags: F & CreateOneFlags, self: Command) => {
    const name = requireName(words, self, needs);
    const { createOne } = await import('../../../commands/create/create-one.ts');
    await createOne((client) => make({ name, command: words.slice(1), flags, client }), flags);
  });
}

/** The one name that stands there. Ends as kubectl does where there is none, or a flag is missing. */
export function requireName(words: readonly string[], self: Command, needs: Needs = {}): string {
  const missing = (needs.required ?? []).filter((flag) => {
    const option = self.options.find(({ long }) => long === `--${flag}`);
    return option && self.getOptionValue(option.attributeName()) === undefined;
  });
  if (missing.length > 0) {
    self.error(`error: required flag(s) ${missing.map((flag) => JSON.stringify(flag)).join(', ')} not set`);
  }
  const count = needs.takesCommand ? wordsBeforeDashes(words) : words.length;
  const [name] = words;
  if (name === undefined || count !== 1) usageError(self, `exactly one NAME is required, got ${count}`);
  return name;
}
