/** How Go's programs read the words of a line. */
import type { Option } from 'commander';

/** How Go writes that a switch is on, and that it is off. */
export const trueWords = ['1', 't', 'T', 'true', 'TRUE', 'True'];
export const falseWords = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

/** Whether a value follows a flag. */
export function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** Where the word is that names the command: behind global flags. */
export function commandIndex(words: readonly string[], options: readonly Option[]): number {
  let at = 0;
  while (words[at]?.startsWith('-')) {
    const word = words[at] ?? '';
    const option = options.find(({ long, short }) => [long, short].includes(word.split('=')[0]));
    if (!option) break;
    at += takesValue(option) && !word.includes('=') ? 2 : 1;
  }
  return at;
}
