import { Command, CommanderError } from 'commander';
import { addRoleCommands } from '../src/roles/commands/role-commands.ts';

/** What came of a command line. */
export interface RoleLine {
  /** What the role would run with; undefined where the line is refused. */
  flags?: object;
  /** What its command said of a line that it refuses; else ''. */
  said: string;
}

/** Has the command of a role read these words, beside a value for each flag that it can't do without. Runs nothing. */
export function readRoleLine(role: string, words: readonly string[]): RoleLine {
  const line: RoleLine = { said: '' };
  const program = new Command();
  const run = async (flags: object) => {
    line.flags = flags;
  };
  addRoleCommands(program, {
    ...{ apiserver: run, controllers: run, scheduler: run, network: run },
    ...{ kubelet: run, runtime: run, monitor: run },
  });
  const command = program.commands.find((each) => each.name() === role);
  if (!command) throw new Error(`no command "${role}"`);
  const needed = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long}=1`);
  command.exitOverride().configureOutput({
    ...command.configureOutput(),
    writeOut: () => {},
    writeErr: (text: string) => {
      line.said += text;
    },
  });
  try {
    command.parse([...needed, ...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    line.said ||= error.message;
  }
  return line;
}
