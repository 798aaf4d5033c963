import { styleText } from 'node:util';

/** What colour says of a text: nothing else depends on it. */
export type Tone = 'good' | 'bad' | 'warning' | 'title' | 'quiet';

const styles = { good: 'green', bad: 'red', warning: 'yellow', title: 'bold', quiet: 'dim' } as const;

/** Where text goes, as far as colours ask. */
export interface ColourTarget {
  isTTY?: boolean | undefined;
}

/**
 * True where colours may be used: at a terminal that is not dumb. `NO_COLOR` (no-color.org) turns them off, and goes before
 * `FORCE_COLOR` (force-color.org), which turns them on anywhere unless it says `0` or `false`.
 */
export function hasColours(target: ColourTarget, environment: NodeJS.ProcessEnv = process.env): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return target.isTTY === true && TERM !== 'dumb';
}

/** `text` in the colour of its tone, where `target` may have colours. */
export function paint(text: string, tone: Tone | undefined, target: ColourTarget): string {
  if (tone === undefined || text === '' || !hasColours(target)) return text;
  return styleText(styles[tone], text, { validateStream: false });
}
