/** What a command line is with the preferences of its user: other names of commands, and other defaults of flags. */
import type { Command, Option } from 'commander';
import { CommandError } from '../errors.ts';
import { commandIndex, falseWords, trueWords } from '../words/go-words.ts';
import { subCommand } from '../words/sub-command.ts';
import type { Alias, FlagDefault, Preference } from './preference.ts';
import { flagNamed, saysFlag } from './said-flags.ts';

/** A command line, and the program that it is for. */
export interface Line {
  words: readonly string[];
  /** With all its commands. */
  program: Command;
  /** Flags that may stand in front of the command's name. */
  globalFlags: readonly Option[];
  warn(text: string): void;
}

/** The words with what preferences add. Throws `CommandError` for a flag that a command has not, and for an alias of none. */
export function applyPreferences(preference: Preference, line: Line): string[] {
  const { words, program, globalFlags } = line;
  const at = commandIndex(words, globalFlags);
  const word = words[at];
  if (word === undefined || word.startsWith('-')) return [...words];
  const alias = subCommand(program, word) ? undefined : preference.aliases.find(({ name }) => name === word);
  return alias ? withAlias(alias, preference, line, at) : withDefaults(preference, line, at);
}

/** `getn a` as `get --output=wide nodes a`. */
function withAlias(alias: Alias, { defaults }: Preference, line: Line, at: number): string[] {
  const { words, program } = line;
  const { name, command: text, options, prependArgs, appendArgs } = alias;
  const found = findCommand(program, fieldsOf(text));
  if (!found) {
    const listed: string = fieldsOf(text).join(' ');
    const shown = [text, name].map((each) => JSON.stringify(each));
    throw new CommandError(`command ${shown[0]} not found to set alias ${shown[1]}: [${listed}]`);
  }
  const flags = flagsFor(options, {
    ...{ words, command: found.command },
    unknown: (flag) => `invalid alias flag ${flag} in alias ${name}`,
    place: `in alias ${name}`,
    what: 'value',
  });
  for (const { command } of defaults) {
    const [first] = fieldsOf(command);
    if (first === name) throw new CommandError(`alias ${name} can not be overridden`);
    if (!isKnown(program, command)) line.warn(notFound(command));
  }
  const typed = words.slice(at + 1);
  return [...words.slice(0, at), ...found.path, ...flags, ...prependArgs, ...typed, ...appendArgs];
}

function withDefaults({ defaults }: Preference, line: Line, at: number): string[] {
  const { words, program } = line;
  const meant = findCommand(program, words.slice(at));
  const flags: string[] = [];
  for (const { command: text, options } of meant ? defaults : []) {
    if (!isKnown(program, text)) line.warn(notFound(text));
    const found = findCommand(program, fieldsOf(text));
    if (!found || found.command !== meant?.command) continue;
    flags.push(
      ...flagsFor(options, {
        ...{ words, command: found.command },
        unknown: (flag) => `invalid flag ${flag} for command ${text}`,
        place: `in command ${text}`,
        what: 'override value',
      }),
    );
  }
  const behind = at + (meant?.path.length ?? 0);
  return [...words.slice(0, behind), ...flags, ...words.slice(behind)];
}

const fieldsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

const notFound = (command: string) => `command ${JSON.stringify(command)} not found to set kuberc override`;

const isKnown = (program: Command, text: string): boolean =>
  findCommand(program, fieldsOf(text)) !== undefined;

/** The command that words begin with, as deep as they lead, and the words that name it. */
function findCommand(
  program: Command,
  words: readonly string[],
): { command: Command; path: string[] } | undefined {
  let command = program;
  const path: string[] = [];
  for (const word of words) {
    const next = subCommand(command, word);
    if (!next) break;
    command = next;
    path.push(word);
  }
  return path.length === 0 ? undefined : { command, path };
}

interface FlagPlace {
  words: readonly string[];
  command: Command;
  unknown(flag: string): string;
  /** Where the flag stands, and what its value is called there. */
  place: string;
  what: string;
}

/** The flags that words do not say themselves. */
function flagsFor(options: readonly FlagDefault[], { words, command, ...told }: FlagPlace): string[] {
  return options.flatMap(({ name, default: value }) => {
    const flag = flagNamed(command, name);
    if (!flag) throw new CommandError(told.unknown(name));
    if (saysFlag(words, flag)) return [];
    if (isSwitch(flag) && ![...trueWords, ...falseWords].includes(value))
      throw new CommandError(
        `could not apply ${told.what} ${value} to flag ${name} ${told.place} err: invalid argument ${JSON.stringify(value)} for "${shownFlag(flag)}" flag: neither true nor false`,
      );
    return [`--${name}=${value}`];
  });
}

const isSwitch = (flag: Option): boolean => !flag.required && !flag.optional;

const shownFlag = ({ short, long = '' }: Option): string =>
  [short, long.replace(/^--no-/, '--')].filter(Boolean).join(', ');
