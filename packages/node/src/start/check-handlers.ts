import { accessSync, constants } from 'node:fs';
import { dnsLabel } from '@wherry/kubeapi';
import { programPath } from '@wherry/linux';
import { NodeError } from '../errors.ts';

/** What the runtime calls the handler that every node has. */
const defaultHandler = 'wherry';

/** Throws `NodeError` `bad-settings` for a handler that the runtime would not start with. */
export function checkHandlers(handlers: Readonly<Record<string, string>> = {}): void {
  for (const [name, program] of Object.entries(handlers)) {
    const problem = nameProblem(name) ?? programProblem(program);
    if (problem !== undefined)
      throw new NodeError('bad-settings', `runtime handler "${name}" by "${program}": ${problem}`);
  }
}

function nameProblem(name: string): string | undefined {
  if (name === defaultHandler) return 'the name is that of the default; choose another';
  return dnsLabel(name).length === 0 ? undefined : 'want a DNS label for its name';
}

function programProblem(program: string): string | undefined {
  if (program.includes(',')) return 'the path of a program that has a comma cannot be told';
  try {
    accessSync(programPath(program), constants.X_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be run';
  }
}
