/** Runs one process of a node: `node main.ts ROLE --FLAG=VALUE…`, with the flags of `wherry ROLE`. */
import { keepAlive } from '@wherry/clock';
import { Command } from 'commander';
import { addRoleCommands } from './roles/role-commands.ts';

// A process that has yet to listen stays alive, whatever it waits for.
using _running = keepAlive();
try {
  const program = new Command('wherry');
  addRoleCommands(program);
  await program.parseAsync(process.argv);
} catch (error) {
  // Errors with a code are the world's, and say all in their message; the others are defects and show where.
  const isTold = error instanceof Error && 'code' in error;
  console.error(isTold ? `error: ${error.message}` : error);
  process.exitCode = 1;
}
