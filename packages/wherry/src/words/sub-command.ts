import type { Command } from 'commander';

/** Whether a word is a command's name, or another one for it. */
export const isCalled = (command: Command, word: string | undefined): boolean =>
  word !== undefined && (command.name() === word || command.aliases().includes(word));

/** The command that a word names right below another. */
export const subCommand = ({ commands }: Command, word: string | undefined): Command | undefined =>
  commands.find((one) => isCalled(one, word));
