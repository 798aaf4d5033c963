import { type EnvVar, plainEnvironmentName } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { readStandardInput } from '../../../system/standard-input.ts';
import type { VariableChanges } from './variables.ts';

const isVariable = (word: string): boolean => /^.+=/s.test(word) || word.endsWith('-');

/** Tells the words about objects from those about variables, which follow them. Throws `CommandError`. */
export function splitEnvWords(words: readonly string[]): { resources: string[]; variables: string[] } {
  const first = words.findIndex(isVariable);
  const start = first === -1 ? words.length : first;
  const variables = words.slice(start);
  if (!variables.every(isVariable)) {
    throw new CommandError(`all resources must be specified before environment changes: ${words.join(' ')}`);
  }
  return { resources: words.slice(0, start), variables };
}

/** Reads `KEY=VALUE`, `KEY-`, and `-` for lines of standard input. Throws `CommandError`. */
export async function readEnvChanges(texts: readonly string[]): Promise<VariableChanges> {
  const set: EnvVar[] = [];
  const remove: string[] = [];
  const named = new Set<string>();
  for (const text of texts) {
    if (text === '-') set.push(...readLines((await readStandardInput()).toString('utf8')));
    else if (text.includes('=')) {
      const variable = readVariable(text);
      checkName(variable.name);
      named.add(variable.name);
      set.push(variable);
    } else if (text.endsWith('-')) remove.push(text.slice(0, -1));
    else throw new CommandError(`unknown environment variable: ${text}`);
  }
  if (remove.some((name) => named.has(name))) {
    throw new CommandError(
      'can not both modify and remove the same environment variable in the same command',
    );
  }
  return { set, remove };
}

/** An empty value is none, as servers have it. */
function readVariable(text: string): EnvVar {
  const at = text.indexOf('=');
  const value = text.slice(at + 1);
  return { name: text.slice(0, at), ...(value === '' ? {} : { value }) };
}

/** A variable of each line that has one; what follows a `#` is no part of it. */
const readLines = (text: string): EnvVar[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/#.*/, ''))
    .filter((line) => line.includes('='))
    .map(readVariable);

function checkName(name: string): void {
  const complaints = plainEnvironmentName(name);
  if (complaints.length > 0)
    throw new CommandError(`${JSON.stringify(name)} is not a valid key name: ${complaints.join(';')}`);
}
