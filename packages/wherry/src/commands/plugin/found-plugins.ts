import { accessSync, constants, readdirSync, statSync } from 'node:fs';
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

/** The names of all programs that can be run so, each as its words: `foo-two_words` as `foo`, `two-words`. */
export function pluginNames(): string[][] {
  const files = foldersOfPath().flatMap((folder) => {
    try {
      return readdirSync(folder || '.').map((file) => ({ file, path: join(folder || '.', file) }));
    } catch {
      return [];
    }
  });
  const plugins = files.filter(
    ({ file, path }) => pluginPrefixes.some((prefix) => file.startsWith(prefix)) && isProgram(path),
  );
  return plugins.map(({ file }) =>
    file
      .split('-')
      .slice(1)
      .map((word) => word.replaceAll('_', '-')),
  );
}

/** A program, and the words that it is given. */
export interface PluginCall {
  path: string;
  /** What it is called by on the PATH, without its prefix: `foo-two_words`. */
  name: string;
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
    const name = names.slice(0, count).join('-');
    const path = pluginNamed(name);
    if (path !== undefined) return { path, name, words: words.slice(count) };
  }
  return undefined;
}
