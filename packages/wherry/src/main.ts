/** Entry of the `wherry` command. */
import { runProgram } from './cli/program.ts';
import { exitCodeOf, printError } from './output/errors.ts';

const longestTimeoutMs = 2 ** 31 - 1;

// The library's timers don't keep a process alive, and need not: a command that still runs does.
const running = setInterval(() => {}, longestTimeoutMs);
try {
  await runProgram(process.argv);
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
} finally {
  clearInterval(running);
}
