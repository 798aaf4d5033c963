/** From a command line as it is typed to what it is with its user's preferences. */
import type { PluginPolicy } from '@wherry/client';
import { CommandError } from '../errors.ts';
import { warnLine } from '../kube/warnings.ts';
import { applyPreferences, type Line } from './apply-preferences.ts';
import { checkPreference, pluginPolicyOf } from './check-preference.ts';
import { type KubercPlace, kubercPlace } from './place.ts';
import type { Preference } from './preference.ts';
import { loadPreference } from './read-preference.ts';

/** Words with preferences, and which credential plugins they let run. */
export interface PreferredLine {
  words: string[];
  pluginPolicy?: PluginPolicy;
}

/** Reads the file that the words or the environment name. `program` makes the whole program; it is seldom needed. Throws `CommandError`. */
export function preferredLine(
  words: readonly string[],
  { program, globalFlags }: { program: () => Line['program']; globalFlags: Line['globalFlags'] },
): PreferredLine {
  try {
    const preference = readNamed(kubercFlag(words));
    if (!preference) return { words: [...words] };
    checkPreference(preference);
    const isIdle = preference.aliases.length === 0 && preference.defaults.length === 0;
    const preferred = isIdle
      ? [...words]
      : applyPreferences(preference, { words, program: program(), globalFlags, warn: warnLine });
    return { words: preferred, pluginPolicy: pluginPolicyOf(preference) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`error occurred while applying preferences ${error.message}`, { cause: error });
  }
}

/** What is passed over is told without a prefix, as by kubectl. */
function readNamed(flag: string | undefined): Preference | undefined {
  try {
    const place = kubercPlace(flag);
    return place && loadPreference(place, (text) => console.error(text));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new CommandError(`kuberc error ${error.message}`, { cause: error });
  }
}

/** The value of `--kuberc` in front of `--`. Throws `CommandError` where there is none. */
export function kubercFlag(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    if (word === '--') return undefined;
    const value = word === '--kuberc' ? words[index + 1] : /^--kuberc=(.*)$/s.exec(word)?.[1];
    if (word !== '--kuberc' && value === undefined) continue;
    if (!value) throw new CommandError('kuberc file is not found');
    return value;
  }
  return undefined;
}

/**
 * The same of a line that is being typed, whose last word may be unfinished: nothing is told of mistakes, and with them no credential
 * plugin runs. Only an alias is looked at: other defaults do not change what may be typed.
 */
export function aliasForCompletion(
  typed: readonly string[],
  { program, place }: { program: Line['program']; place: KubercPlace },
): PreferredLine {
  try {
    const preference = loadPreference(place, () => {});
    if (!preference) return { words: [...typed] };
    checkPreference(preference);
    const line = { words: typed.slice(0, -1), program, globalFlags: [], warn() {} };
    const words = applyPreferences({ ...preference, defaults: [] }, line);
    return { words: [...words, ...typed.slice(-1)], pluginPolicy: pluginPolicyOf(preference) };
  } catch {
    return { words: [...typed], pluginPolicy: { policy: 'DenyAll' } };
  }
}
