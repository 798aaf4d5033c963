import { existsSync } from 'node:fs';
import { CommandError } from '../../errors.ts';
import { type ConfigPlace, type ConfigState, type Entry, readConfig } from '../../kubeconfig/config-state.ts';
import type { Fields } from '../../kubeconfig/document.ts';
import { shapedFields } from '../../kubeconfig/entry-fields.ts';
import { type List, listFields } from '../../kubeconfig/lists.ts';
import { printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { flattened } from './flatten.ts';
import { minified } from './minify.ts';
import { redacted } from './redact.ts';

/** Flags of `wherry config view`. */
export interface ViewFlags extends ConfigPlace {
  /** In the place of the current one. */
  context?: string;
  flatten?: boolean;
  minify?: boolean;
  /** Shows secrets and certificates. */
  raw?: boolean;
  /** False for the file of `--kubeconfig` as it is, which has to be there. */
  merge?: boolean;
  output?: OutputFormat;
}

/** Prints what the kubeconfigs say together, without secrets. */
export function view(flags: ViewFlags): void {
  const { context, flatten, minify, raw, merge = true, output } = flags;
  const found = readConfig(flags);
  const { explicitFile } = found;
  if (!merge && explicitFile === undefined)
    throw new CommandError('if merge==false a precise file must be specified');
  if (!merge && explicitFile !== undefined && !existsSync(explicitFile))
    throw new CommandError(`open ${explicitFile}: no such file or directory`);
  const wanted = minify ? minified(found, context) : found;
  const shown = flatten ? flattened(wanted) : wanted;
  printConfig(configOf(shown, { isRaw: raw === true || flatten === true }), output);
}

function printConfig(config: object, output: OutputFormat = 'yaml'): void {
  if (isValueFormat(output)) printValue(config, output);
}

/** The whole as one kubeconfig, in the order of the file format, its lists by their names. */
function configOf(state: ConfigState, { isRaw }: { isRaw: boolean }): object {
  const listOf = (list: List) => {
    const entries = byName(state[list]).map(([name, { fields }]: [string, Entry]) => {
      const shaped = shapedFields(list, fields);
      return { name, [listFields[list]]: isRaw ? shaped : redacted(shaped) };
    });
    return entries.length === 0 ? null : entries;
  };
  const extensions = byName(state.extensions).map(([, extension]) => extension);
  return {
    ...{ kind: 'Config', apiVersion: 'v1' },
    ...(saysSomething(state.preferences) ? { preferences: state.preferences } : {}),
    ...{ clusters: listOf('clusters'), users: listOf('users'), contexts: listOf('contexts') },
    'current-context': state.currentContext,
    ...(extensions.length === 0 ? {} : { extensions }),
  };
}

const byName = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].sort(([one], [other]) => (one < other ? -1 : 1));

const saysSomething = ({ colors, extensions }: Fields): boolean => Boolean(colors) || Boolean(extensions);
