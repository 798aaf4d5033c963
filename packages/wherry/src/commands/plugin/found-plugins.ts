import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What files of plug-ins begin with; of two with one name the first of these is run, whichever comes first on the PATH. */
export const pluginPrefixes = ['wherry-', 'kubectl-'] as const;

/** The folders of the PATH, each once, in their order. */
export const foldersOfPath = (): string[] => [...new Set((process.env['PATH'] ?? '').split(delimiter))];

/** True for a file that may be run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The program that is run for a name, such as `foo` or `foo-bar`; undefined for none. */
export function pluginNamed(name: string): string | undefined {
  if (name === '' || name.includes('/')) return undefined;
  return pluginPrefixes
    .flatMap((prefix) => foldersOfPath().map((folder) => join(folder || '.', `${prefix}${name}`)))
    .find(isProgram);
}

/** A program, and the words that it is given. */
export interface PluginCall {
  path: string;
  words: string[];
}

/**
 * The plug-in that a command line means: the one of the longest name that its words make, in which dashes are underscores, with the
 * words behind it. At least `least` words are its name.
 */
export function pluginFor(words: readonly string[], least = 1): PluginCall | undefined {
  const flags = words.findIndex((word) => word.startsWith('-'));
  const names = words.slice(0, flags === -1 ? words.length : flags).map((word) => word.replaceAll('-', '_'));
  for (let count = names.length; count >= least; count -= 1) {
    const path = pluginNamed(names.slice(0, count).join('-'));
    if (path !== undefined) return { path, words: words.slice(count) };
  }
  return undefined;
}
