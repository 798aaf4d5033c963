import type { Command } from 'commander';
import type { ExecFlags } from '../../commands/kube/exec.ts';
import { dashes } from './go-flags.ts';
import { usageError } from './usage-errors.ts';

/** What `exec` is about. */
export interface ExecWords {
  /** Undefined when a file names it, or nothing does. */
  target: string | undefined;
  command: string[];
}

/**
 * Tells the pod from the command. Words without `--` in front were accepted as a command once; kubectl refuses them now,
 * and so does this.
 */
export function splitAtDashes(words: string[], { filename }: ExecFlags, self: Command): ExecWords {
  const end = process.argv.indexOf(dashes);
  if (end === -1) {
    if (words.length > 1 || (words.length > 0 && filename)) {
      usageError(self, 'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead');
    }
    return { target: words[0], command: [] };
  }
  const before = wordsBeforeDashes(words);
  return { target: before > 0 ? words[0] : undefined, command: words.slice(before) };
}

/** How many words of a command stand in front of `--`. */
export function wordsBeforeDashes(words: readonly string[]): number {
  const end = process.argv.indexOf(dashes);
  return end === -1 ? words.length : words.length - (process.argv.length - end - 1);
}
