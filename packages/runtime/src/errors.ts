import { clipped } from '@wherry/bytes';
import { CriError } from '@wherry/cri';
import { hasCode } from '@wherry/linux';
import { limits } from './limits.ts';

/** A failure of the runtime: `code` tells the kind, the message names the thing and the bad value. */
export class RuntimeError extends CriError {}

/** The text of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Carries out an action whose work may be done already, which a code of the kernel says. */
export function ignoring(code: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!hasCode(error, code)) throw error;
  }
}

/** What a plug-in says, as far as it is told on. */
export const boundedWords = (text: string): string => clipped(text, limits.plugInWordsMax);
