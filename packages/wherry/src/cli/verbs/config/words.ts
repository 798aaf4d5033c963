import type { Command } from 'commander';
import { usageError } from '../../flags/usage-errors.ts';

/** Ends the command, as kubectl says it, unless there are so many words. */
export function requireWords(words: readonly string[], count: number, self: Command): void {
  if (words.length !== count) usageError(self, `Unexpected args: [${words.join(' ')}]`);
}
