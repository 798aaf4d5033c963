import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfigPaths, loadKubeconfig } from '@wherry/client';
import { parse } from 'yaml';
import type { Fields } from './document.ts';
import { type List, listFields } from './lists.ts';

/** Which kubeconfig is meant. */
export interface ConfigPlace {
  /** This file alone; else those of `$KUBECONFIG`, else `~/.kube/config`. */
  kubeconfig?: string;
  /** That of the node in this folder. */
  dataDir?: string;
}

/** An entry, and the file that it stands in. */
export interface Entry {
  fields: Fields;
  file: string;
}

/** An extension, left as it is. */
export interface Extension {
  name: string;
  extension?: unknown;
}

/** What a kubeconfig says, with paths as they stand there. */
export interface ConfigContent extends Record<List, ReadonlyMap<string, Entry>> {
  /** Empty for none. */
  currentContext: string;
  preferences: Fields;
  extensions: ReadonlyMap<string, Extension>;
}

/** What several kubeconfigs say together. */
export interface ConfigState extends ConfigContent {
  /** Those that count, the first one most. */
  files: readonly string[];
  /** The one that was named. */
  explicitFile: string | undefined;
  /** Where new entries go, and the current context: the named one, else the first that is there, else the last of all. */
  defaultFile: string;
}

/**
 * Reads the kubeconfigs that a place means: of entries of one name the first counts, whole; of the current context the first that
 * says one. Files that are not there say nothing. Throws `ClientError` `bad-config` that names the file and the field.
 */
export function readConfig({ kubeconfig, dataDir }: ConfigPlace): ConfigState {
  const explicitFile = kubeconfig ?? (dataDir === undefined ? undefined : join(dataDir, 'kubeconfig'));
  const files = kubeconfigPaths(explicitFile);
  const defaultFile = files.find((file) => existsSync(file)) ?? files.at(-1) ?? '';
  return { ...files.map(contentOf).reduce(merge), files, explicitFile, defaultFile };
}

/** What one file says; nothing for one that is not there. */
export function contentOf(file: string): ConfigContent {
  const said = existsSync(file) ? checked(file) : {};
  const entries = (list: List) =>
    new Map(
      named(said, list).map((entry) => [entry.name, { fields: fieldsOf(entry, listFields[list]), file }]),
    );
  return {
    ...{ clusters: entries('clusters'), users: entries('users'), contexts: entries('contexts') },
    currentContext: (said['current-context'] as string | null | undefined) ?? '',
    preferences: fieldsOf(said, 'preferences'),
    extensions: new Map(named(said, 'extensions').map((extension) => [extension.name, extension])),
  };
}

/** The content of a file that the client takes as well. */
function checked(file: string): Fields {
  loadKubeconfig(file);
  return (parse(readFileSync(file, 'utf8')) ?? {}) as Fields;
}

const named = (said: Fields, list: List | 'extensions'): Extension[] =>
  (new Map(Object.entries(said)).get(list) ?? []) as Extension[];

/** The fields that say something. */
function fieldsOf(said: object, name: string): Fields {
  const fields = (new Map<string, unknown>(Object.entries(said)).get(name) ?? {}) as Fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

const merge = (first: ConfigContent, second: ConfigContent): ConfigContent => ({
  clusters: new Map([...second.clusters, ...first.clusters]),
  users: new Map([...second.users, ...first.users]),
  contexts: new Map([...second.contexts, ...first.contexts]),
  currentContext: first.currentContext || second.currentContext,
  preferences: { ...second.preferences, ...first.preferences },
  extensions: new Map([...second.extensions, ...first.extensions]),
});
