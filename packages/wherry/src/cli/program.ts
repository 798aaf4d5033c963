import { Command } from 'commander';
import { readVersion } from '../version.ts';
import { addCriCommands } from './cri-commands.ts';
import { addImageCommands } from './image-commands.ts';
import { addNodeCommands } from './node-commands.ts';
import { addRoleCommands } from './role-commands.ts';
import { addStreamCommands } from './stream-commands.ts';

/** The whole command line. Each command loads its code only when it runs. */
export function createProgram(): Command {
  const program = new Command('wherry')
    .description('A complete Kubernetes node in TypeScript.')
    .version(readVersion())
    .enablePositionalOptions();
  addNodeCommands(program);
  addImageCommands(program);
  addStreamCommands(program);
  addCriCommands(program);
  addRoleCommands(program);
  return program;
}
