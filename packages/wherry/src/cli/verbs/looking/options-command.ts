import { Command } from 'commander';
import { withKubeFlags } from '../../flags/kube-flags.ts';

/** `options`: the flags of every command that speaks to a cluster. */
export function addOptions(program: Command): Command {
  return program
    .command('options')
    .description('print the flags that every command about a cluster takes')
    .action(() => {
      const said = 'Every command about a cluster takes these flags, in front of its name too:';
      console.log(`${said}\n\n${flagLines().join('\n')}`);
    });
}

/** Each flag with what it is for, as the help has them. */
function flagLines(): string[] {
  const command = withKubeFlags(new Command());
  const help = command.createHelp();
  help.prepareContext({ helpWidth: process.stdout.columns ?? 80 });
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const width = Math.max(...options.map((option) => help.optionTerm(option).length));
  return options.map((option) =>
    help.formatItem(help.optionTerm(option), width, help.optionDescription(option), help),
  );
}
