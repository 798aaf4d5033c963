import { collect } from '@wherry/node/roles';
import { type Command, Option } from 'commander';
import type { KubercSetFlags } from '../../../commands/kuberc/set.ts';
import type { KubercViewFlags } from '../../../commands/kuberc/view.ts';
import { CommandError } from '../../../errors.ts';
import { hasKuberc } from '../../../kuberc/place.ts';
import { asGroup } from '../../flags/command-group.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';
import { withOutput } from '../../flags/options.ts';
import { withKubectlErrors } from '../../flags/usage-errors.ts';

/** `kuberc view | set`: kubectl's commands about the file of its user's preferences, which need no server. */
export function addKuberc(program: Command): Command[] {
  if (!hasKuberc()) return [];
  const kuberc = asGroup(program.command('kuberc')).description(
    'print and change the file of your preferences: aliases of commands, defaults of their flags',
  );
  return [addView(kuberc), addSet(kuberc)].map((command) => withKubectlErrors(withOtherFlags(command)));
}

function addView(kuberc: Command): Command {
  return withOutput(kuberc.command('view'), ['json', 'yaml'])
    .description('print the file of preferences; where there is none, offer to write one')
    .option('--kuberc <file>', 'this file (default: $KUBERC, then ~/.kube/kuberc)')
    .option('--show-managed-fields', 'without effect: there are none')
    .action(async (flags: KubercViewFlags) =>
      (await import('../../../commands/kuberc/view.ts')).viewKuberc(flags),
    );
}

function addSet(kuberc: Command): Command {
  const oneOf = (flags: string, description: string, choices: readonly string[]) => {
    const option = new Option(flags, description);
    // For the help and for completion.
    option.argChoices = [...choices];
    return option;
  };
  return kuberc
    .command('set')
    .description('set the defaults of a command, an alias, or which credential plugins may run')
    .usage('--section (defaults|aliases|credentialplugin) --command COMMAND [flags]')
    .option('--kuberc <file>', 'this file (default: $KUBERC, then ~/.kube/kuberc)')
    .addOption(oneOf('--section <section>', 'what is set', ['defaults', 'aliases', 'credentialplugin']))
    .option('--command <command>', 'the command, such as get, create or "set env"')
    .option('--name <name>', 'name of an alias')
    .option('--option <flag=value>', 'default of a flag; may be repeated', collect)
    .option('--prependarg <word>', 'word of an alias in front of those typed; may be repeated', collect)
    .option('--appendarg <word>', 'word of an alias behind those typed; may be repeated', collect)
    .addOption(
      oneOf('--policy <policy>', 'which credential plugins may run', ['AllowAll', 'DenyAll', 'Allowlist']),
    )
    .option('--allowlist-entry <command=program>', 'a plugin that may run; may be repeated', collect)
    .option('--overwrite', 'replace what is there')
    .action(async (flags: KubercSetFlags) => {
      if (flags.section === undefined) throw new CommandError('required flag(s) "section" not set');
      (await import('../../../commands/kuberc/set.ts')).setKuberc(flags);
    });
}

/** kubectl's other flags are taken, and have nothing to do here. */
function withOtherFlags(command: Command): Command {
  const own = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  for (const option of withKubeFlags(command.createCommand()).options)
    if (!own.has(option.long) && !(option.short && own.has(option.short)))
      command.addOption(option.hideHelp());
  return command;
}
