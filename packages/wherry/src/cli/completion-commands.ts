import { Argument, type Command } from 'commander';
import { type Shell, shells } from '../completion/scripts.ts';

/** `completion SHELL`, and what its scripts call. */
export function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('print the script by which a shell completes wherry command lines')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell: Shell) => {
      const { completionScript } = await import('../completion/scripts.ts');
      console.log(completionScript(shell));
    });
  program
    .command('__complete [words...]', { hidden: true })
    .action(async (words: string[]) =>
      (await import('../commands/complete.ts')).printCandidates(program, words),
    );
}
