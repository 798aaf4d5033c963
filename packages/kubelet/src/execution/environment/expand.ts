import { startCharactersMax } from '../../limits.ts';

/** Expands each of these, together no longer than {@link startCharactersMax}. Throws beyond. */
export function expandAll(inputs: readonly string[], lookup: (name: string) => string | undefined): string[] {
  let characters = 0;
  return inputs.map((input) => {
    const output = expandReferences(input, lookup);
    characters += output.length;
    if (characters > startCharactersMax) throw tooLong('a command');
    return output;
  });
}

/** Beyond the bound; lines that double what stands in the ones before are few for a value of gigabytes. */
export const tooLong = (what: string): Error =>
  new Error(`${what} would have more than ${startCharactersMax} characters once its references are replaced`);

/**
 * Expands `$(NAME)` references as Kubernetes does in env values, commands and arguments: `$$` is a literal `$`, and a
 * reference that `lookup` does not know stays as it is written. Throws for what becomes longer than {@link startCharactersMax}.
 */
export function expandReferences(input: string, lookup: (name: string) => string | undefined): string {
  let output = '';
  let position = 0;
  for (;;) {
    const dollar = input.indexOf('$', position);
    if (dollar < 0 || dollar === input.length - 1) return output + input.slice(position);
    output += input.slice(position, dollar);
    const next = input[dollar + 1];
    if (next === '$') {
      output += '$';
      position = dollar + 2;
      continue;
    }
    const close = next === '(' ? input.indexOf(')', dollar + 2) : -1;
    if (close < 0) {
      output += input.slice(dollar, dollar + 2);
      position = dollar + 2;
      continue;
    }
    output += lookup(input.slice(dollar + 2, close)) ?? input.slice(dollar, close + 1);
    if (output.length > startCharactersMax) throw tooLong('a value');
    position = close + 1;
  }
}
