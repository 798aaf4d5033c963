import { type Mock, mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { fromGoFlags } from '../src/cli/flags/go-flags.ts';
import { withKubeFlags } from '../src/cli/flags/kube-flags.ts';
import { createProgram } from '../src/cli/program.ts';
import { describeError, exitCodeOf } from '../src/output/errors.ts';

/** How a command line ended. */
export interface Ended {
  code: number;
  stderr: string;
  stdout: string;
}

/** Thrown in place of the end of the process. */
class Exit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** Runs one command line inside this process, as `main.ts` would; one at a time. */
export async function inProcess(words: readonly string[]): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const { program, kubeCommands } = createProgram();
  hear(program, said);
  const mocks = [
    mock.method(console, 'log', (...parts: unknown[]) => (said.stdout += `${parts.join(' ')}\n`)),
    mock.method(console, 'error', (...parts: unknown[]) => (said.stderr += `${parts.join(' ')}\n`)),
  ];
  const { exitCode, argv } = process;
  process.argv = [...argv.slice(0, 2), ...words];
  try {
    const globalFlags = withKubeFlags(program.createCommand()).options;
    const line = fromGoFlags({ words, commands: kubeCommands, globalFlags });
    await program.parseAsync(line, { from: 'user' });
    return { code: Number(process.exitCode ?? 0), ...said };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, ...said };
    return {
      code: exitCodeOf(error),
      stdout: said.stdout,
      stderr: `${said.stderr}${describeError(error)}\n`,
    };
  } finally {
    process.exitCode = exitCode;
    process.argv = argv;
    for (const each of mocks) each.mock.restore();
  }
}

/** Resolves once the command line that runs has printed a line, on stderr by `error`. */
export async function hasSpoken(how: 'log' | 'error' = 'log'): Promise<void> {
  const { mock: heard } = console[how] as Mock<typeof console.log>;
  while (heard.callCount() === 0) await delay(5);
}

/** Takes what commander would print, and its end of the process. */
function hear(command: Command, said: { stdout: string; stderr: string }): void {
  command.exitOverride(({ exitCode }) => {
    throw new Exit(exitCode);
  });
  command.configureOutput({
    writeOut: (text) => (said.stdout += text),
    writeErr: (text) => (said.stderr += text),
  });
  for (const child of command.commands) hear(child, said);
}
