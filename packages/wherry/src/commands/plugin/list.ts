import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { CommandError } from '../../errors.ts';
import { subCommand } from '../../words/sub-command.ts';
import { foldersOfPath, isProgram, pluginNamed, pluginPrefixes } from './found-plugins.ts';

/** Flags of `wherry plugin list`. */
export interface PluginListFlags {
  nameOnly?: boolean;
}

/** Prints the plug-ins on the PATH, and what is wrong with them. Throws `CommandError` where there is none, or something is wrong. */
export function listPlugins(program: Command, { nameOnly }: PluginListFlags): void {
  const plugins = foldersOfPath().flatMap(pluginsIn);
  if (plugins.length === 0) throw new CommandError('error: unable to find any wherry plugins in your PATH');
  console.log('The following compatible plugins are available:\n');
  let warnings = 0;
  for (const path of plugins) {
    console.log(nameOnly ? basename(path) : path);
    for (const problem of problemsOf(path, program)) {
      console.error(`  - warning: ${problem}`);
      warnings += 1;
    }
  }
  if (warnings === 0) return;
  const count = warnings === 1 ? 'one plugin warning was' : `${warnings} plugin warnings were`;
  throw new CommandError(`error: ${count} found`);
}

function pluginsIn(folder: string): string[] {
  if (folder.trim() === '') return [];
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(
        (entry) => !entry.isDirectory() && pluginPrefixes.some((prefix) => entry.name.startsWith(prefix)),
      )
      .map(({ name }) => join(folder, name))
      .sort();
  } catch (error) {
    const why = (error as Error).message.replace(/^\w+: (.*), \w+ '.*'$/s, '$1');
    console.error(
      `Unable to read directory ${JSON.stringify(folder)} from your PATH: open ${folder}: ${why}. Skipping...`,
    );
    return [];
  }
}

function problemsOf(path: string, program: Command): string[] {
  const file = basename(path);
  const name = file.slice(file.indexOf('-') + 1);
  const run = pluginNamed(name);
  const own = commandNamed(program, name.split('-'));
  return [
    ...(isProgram(path) ? [] : [`${path} identified as a wherry plugin, but it is not executable`]),
    ...(isProgram(path) && run !== undefined && run !== path
      ? [`${path} is overshadowed by a similarly named plugin: ${run}`]
      : []),
    ...(own === undefined ? [] : [`${file} overwrites existing command: "wherry ${own}"`]),
  ];
}

/** The path of the command of this program that such words name, as far as they do: `config view`. */
function commandNamed(parent: Command, [word, ...rest]: readonly string[]): string | undefined {
  const found = subCommand(parent, word);
  return found && [found.name(), commandNamed(found, rest)].filter((part) => part !== undefined).join(' ');
}
