import type { Command, Option } from 'commander';
import { CommandError } from '../../errors.ts';
import { commandIndex, falseWords, takesValue, trueWords } from '../../words/go-words.ts';
import { isCalled } from '../../words/sub-command.ts';
import { pathOf } from './command-path.ts';

/** Ends the flags of a command. */
export const dashes = '--';

/** What {@link fromGoFlags} is given. */
export interface GoFlagsOptions {
  /** The words behind the program's name. */
  words: readonly string[];
  commands: readonly Command[];
  /** Flags that may stand in front of the command's name. */
  globalFlags: readonly Option[];
}

/**
 * kubectl takes flags as Go does: `--tty=false`, `-n=work`, `-it`, and its global ones in front of the command as well.
 * Writes such a command line as commander reads it. Words that are no such flags are left to commander's judgement.
 * Throws `CommandError` for a switch that is neither true nor false.
 */
export function fromGoFlags({ words, commands, globalFlags }: GoFlagsOptions): string[] {
  const start = commandIndex(words, globalFlags);
  const command = commandAt(commands, words.slice(start));
  // Of a group alone there is nothing but to say what it has.
  if (!command) return isGroup(words[start], commands) ? words.slice(start) : [...words];
  const path = words.slice(start, start + depthOf(command));
  const rest = [...words.slice(0, start), ...words.slice(start + path.length)];
  const end = rest.indexOf(dashes);
  const flags = end === -1 ? rest : rest.slice(0, end);
  return [...path, ...rewrite(flags, command.options), ...(end === -1 ? [] : rest.slice(end))];
}

/** The command whose path, such as `rollout status`, the words begin with; the longest of several. */
function commandAt(commands: readonly Command[], words: readonly string[]): Command | undefined {
  const found = commands.filter((command) => {
    const own = pathOf(command);
    return own.every((one, at) => isCalled(one, words[at]));
  });
  return found.sort((one, other) => depthOf(other) - depthOf(one))[0];
}

/** Whether a word names what has commands below it, such as `rollout`. */
const isGroup = (word: string | undefined, commands: readonly Command[]): boolean =>
  commands.map(pathOf).some(([first, second]) => first && second && isCalled(first, word));

const depthOf = (command: Command): number => pathOf(command).length;

/** The word that names the command, behind global flags. */
export const commandWord = (words: readonly string[], globalFlags: readonly Option[]): string | undefined =>
  words[commandIndex(words, globalFlags)];

function rewrite(words: readonly string[], options: readonly Option[]): string[] {
  const rewritten: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (/^--./.test(word)) rewritten.push(...rewriteLong(word, rest, options));
    else if (/^-[^-]/.test(word)) rewritten.push(...rewriteShort(word, rest, options));
    else rewritten.push(word);
  }
  return rewritten;
}

/** `--name=value` for flags with a value, `--name` or nothing for switches. Takes a value that stands apart from `rest`. */
function rewriteLong(word: string, rest: string[], options: readonly Option[]): string[] {
  const [name = '', ...values] = word.split('=');
  const option = options.find(({ long }) => long === name);
  if (!option) return rewriteNegated(word, options) ?? [word];
  if (!takesValue(option))
    return values.length === 0 || isOn(option, values.join('=')) ? [name] : negated(option, options);
  if (values.length > 0) return [word];
  // As Go has it: what stands apart is no value of a flag that goes without.
  if (option.optional && typeof option.presetArg === 'string') return [`${name}=${option.presetArg}`];
  const value = rest.shift();
  return value === undefined ? [name] : [`${name}=${value}`];
}

/** What takes a switch back that is on without a word; nothing for one that is off. */
function negated({ long = '' }: Option, options: readonly Option[]): string[] {
  const other = `--no-${long.slice(2)}`;
  return options.some((option) => option.long === other) ? [other] : [];
}

/** `--wait=false` for commander's `--no-wait`. Undefined for what is no such switch. */
function rewriteNegated(word: string, options: readonly Option[]): string[] | undefined {
  const [name = '', ...values] = word.split('=');
  const negated = `--no-${name.slice(2)}`;
  const option = options.find(({ long }) => long === negated);
  if (!option) return undefined;
  return values.length === 0 || isSwitchOn(name, values.join('=')) ? [] : [negated];
}

/** A word of one-letter flags: switches, and at its end one with a value. */
function rewriteShort(word: string, rest: string[], options: readonly Option[]): string[] {
  const rewritten: string[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const option = options.find(({ short }) => short === `-${word[at]}`);
    if (!option) return [word];
    const long = option.long ?? '';
    const after = word.slice(at + 1);
    if (takesValue(option)) {
      const value = after === '' ? rest.shift() : after.replace(/^=/, '');
      return [...rewritten, value === undefined ? long : `${long}=${value}`];
    }
    if (after.startsWith('='))
      return [...rewritten, ...(isOn(option, after.slice(1)) ? [long] : negated(option, options))];
    rewritten.push(long);
  }
  return rewritten;
}

const isOn = (option: Option, text: string): boolean =>
  isSwitchOn([option.short, option.long].filter(Boolean).join(', '), text);

function isSwitchOn(name: string, text: string): boolean {
  if (trueWords.includes(text)) return true;
  if (falseWords.includes(text)) return false;
  throw new CommandError(`invalid argument "${text}" for "${name}" flag: neither true nor false`);
}
