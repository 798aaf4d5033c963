/**
 * Expands `$(NAME)` references as Kubernetes does in env values, commands and arguments: `$$` is a literal `$`, and a
 * reference that `lookup` does not know stays as it is written.
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
    position = close + 1;
  }
}
