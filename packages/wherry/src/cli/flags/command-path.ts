import type { Command } from 'commander';

/** A command behind those that it is a part of, without the program. */
export function pathOf(command: Command): Command[] {
  const { parent } = command;
  return parent?.parent ? [...pathOf(parent), command] : [command];
}
