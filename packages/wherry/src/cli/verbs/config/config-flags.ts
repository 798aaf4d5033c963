import { type Command, Option } from 'commander';
import { CommandError } from '../../../errors.ts';
import { falseWords, trueWords } from '../../../words/go-words.ts';
import { withKubeFlags } from '../../flags/kube-flags.ts';

/** kubectl's flags, of which these commands heed the file, and that of the context where it is theirs. Those of their own go before. */
export function withConfigFlags(command: Command): Command {
  command
    .option('--kubeconfig <file>', 'this file alone (default: those of $KUBECONFIG, else ~/.kube/config)')
    .option('--data-dir <dir>', 'the kubeconfig of the node in this folder');
  const own = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  for (const option of withKubeFlags(command.createCommand()).options)
    if (!own.has(option.long) && !(option.short && own.has(option.short)))
      command.addOption(option.hideHelp());
  return command;
}

/** A switch that may be said to be off, which is another thing than not to say it. */
export function triState(name: string, description: string): Option {
  return new Option(`--${name} [is]`, description)
    .argParser((text) => {
      if (trueWords.includes(text)) return true;
      if (falseWords.includes(text)) return false;
      throw new CommandError(`invalid argument "${text}" for "--${name}" flag: neither true nor false`);
    })
    .preset('true');
}
