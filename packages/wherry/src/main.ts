/** Entry of the `wherry` command. */
import { keepAlive } from '@wherry/clock';
import { runProgram } from './cli/program.ts';
import { exitCodeOf, printError } from './output/errors.ts';

// A command that still runs keeps the process alive, whatever it waits for.
using _running = keepAlive();
try {
  await runProgram(process.argv);
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
