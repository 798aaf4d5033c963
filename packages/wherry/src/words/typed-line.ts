/** What stands on a command line, in its order, as Go's flag library (pflag) takes it apart. */
import type { Option } from 'commander';
import { takesValue } from './go-words.ts';

/** A flag by its long name, and its value; a switch without a word is `true`. */
export interface TypedFlag {
  name: string;
  value: string;
}

/** A line taken apart. */
export interface TypedLine {
  /** The words that are no flags, and those behind `--`. */
  words: string[];
  flags: TypedFlag[];
}

/** Takes a line apart by the flags of its command. What no flag is called is a word. */
export function typedLine(line: readonly string[], options: readonly Option[]): TypedLine {
  const typed: TypedLine = { words: [], flags: [] };
  const rest = [...line];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') typed.words.push(...rest.splice(0));
    else if (/^--./.test(word)) takeLong(word, { rest, options, typed });
    else if (/^-[^-]/.test(word)) takeShort(word, { rest, options, typed });
    else typed.words.push(word);
  }
  return typed;
}

interface Taking {
  rest: string[];
  options: readonly Option[];
  typed: TypedLine;
}

function takeLong(word: string, { rest, options, typed }: Taking): void {
  const at = word.indexOf('=');
  const name = word.slice(2, at < 0 ? undefined : at);
  const option = options.find(({ long }) => long === `--${name}` || long === `--no-${name}`);
  if (!option) typed.words.push(word);
  else typed.flags.push({ name, value: at < 0 ? valueBehind(option, rest) : word.slice(at + 1) });
}

/** Letters in one word: switches, and at their end one with a value. */
function takeShort(word: string, { rest, options, typed }: Taking): void {
  for (let at = 1; at < word.length; at += 1) {
    const option = options.find(({ short }) => short === `-${word[at]}`);
    if (!option) return void typed.words.push(word);
    const name = (option.long ?? '').slice(2);
    const after = word.slice(at + 1);
    const hasValue = after.startsWith('=') || (takesValue(option) && after !== '');
    typed.flags.push({ name, value: hasValue ? after.replace(/^=/, '') : valueBehind(option, rest) });
    if (hasValue) return;
  }
}

function valueBehind(option: Option, rest: string[]): string {
  if (!takesValue(option)) return 'true';
  if (!option.optional) return rest.shift() ?? '';
  return typeof option.presetArg === 'string' ? option.presetArg : '';
}
