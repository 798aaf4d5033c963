import type { Command, Option } from 'commander';

/**
 * Whether words say a flag themselves, so that preferences leave it alone: `--name`, `--name=…`, `-n…` or `-n` among others in one word,
 * as kubectl looks for it.
 */
export function saysFlag(words: readonly string[], option: Option): boolean {
  const long = (option.long ?? '').replace(/^--no-/, '--');
  const letter = option.short?.slice(1);
  return words.some((word) => {
    if (word === long || word.startsWith(`${long}=`)) return true;
    if (letter === undefined) return false;
    return word.startsWith(`-${letter}`) || (/^-[a-zA-Z]+$/.test(word) && word.includes(letter, 1));
  });
}

/** The flag of a command that is called so without dashes; also one that is on, and has a word for off alone. */
export const flagNamed = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long }) => long === `--${name}` || long === `--no-${name}`);
