import { CommandError } from '../errors.ts';

/** The values of `--as-user-extra KEY=VALUE`, by their keys. Throws `CommandError` for a word that is no such pair. */
export function userExtra(pairs: readonly string[]): Record<string, string[]> {
  const extra = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1)
      throw new CommandError(`--as-user-extra ${JSON.stringify(pair)} is not of the form KEY=VALUE`);
    const key = pair.slice(0, at);
    extra.set(key, [...(extra.get(key) ?? []), pair.slice(at + 1)]);
  }
  return Object.fromEntries(extra);
}
