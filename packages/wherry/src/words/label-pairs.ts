import { CommandError } from '../errors.ts';

/** `KEY=VALUE,…`, as labels of new objects are given. Throws `CommandError`. */
export function parseLabels(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', value, ...more] = pair.split('=');
      if (value === undefined || more.length > 0) throw new CommandError(`unexpected label spec: ${pair}`);
      if (key === '') throw new CommandError('unexpected empty label key');
      return [key, value];
    }),
  );
}
