/** Reads a file of preferences as kubectl does: of its documents the first that is one. */
import { readFileSync } from 'node:fs';
import { type JsonValue, ownValue, parseTextWith } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import type { KubercPlace } from './place.ts';
import { type FlagDefault, group, type Preference } from './preference.ts';
import { type Fields, ShapeReader } from './shape.ts';

/** What a document says, and what of it is not as it should be and may be passed over. */
export interface ReadPreference {
  preference: Preference;
  complaints: string[];
}

/**
 * The preferences of a file; undefined where there are none. A file that nobody named may be absent, and what is wrong with it is
 * told by `warn`. Throws `CommandError`.
 */
export function loadPreference(
  { path, isExplicit }: KubercPlace,
  warn: (text: string) => void,
): Preference | undefined {
  try {
    const found = readPreference(path);
    if (found && found.complaints.length > 0)
      warn(
        `kuberc: ignoring strict decoding error in ${path}: strict decoding error: ${found.complaints.join(', ')}`,
      );
    return found?.preference;
  } catch (error) {
    if (isExplicit) throw new CommandError(`kuberc: ${whyOf(error)}`, { cause: error });
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      warn(`kuberc: no preferences loaded from ${path}: ${whyOf(error)}`);
    return undefined;
  }
}

const systemWords = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['ENOTDIR', 'not a directory'],
]);

function whyOf(error: unknown): string {
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'EISDIR') return `read ${path ?? ''}: is a directory`;
  const words = systemWords.get(code ?? '');
  return words === undefined ? message : `open ${path ?? ''}: ${words}`;
}

/** Throws what reading the file throws, and `CommandError` for one without preferences that is not empty. */
export function readPreference(path: string): ReadPreference | undefined {
  const documents = documentsOf(readText(path));
  for (const document of documents) {
    const found = readDocument(document);
    if (found) return found;
  }
  if (documents.length === 0) return undefined;
  throw new CommandError(`no valid preferences found in ${path}, use --v=5 to see details`);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}

const documentsOf = (text: string): string[] =>
  text.split(/^---[ \t]*(?:#.*)?$/m).filter((document) => document.trim() !== '');

/** Undefined for what is no preferences, or none that can be read. */
function readDocument(text: string): ReadPreference | undefined {
  try {
    const { value, duplicates } = parseTextWith(Buffer.from(text), 'yaml', { findDuplicates: true });
    const reader = new ShapeReader();
    const preference = readVersion(value, reader);
    const unknown = reader.unknown.map((field) => `unknown field ${JSON.stringify(field)}`);
    const twice = duplicates.length > 0 ? [`yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`] : [];
    return preference && { preference, complaints: [...twice, ...unknown] };
  } catch {
    return undefined;
  }
}

function readVersion(value: JsonValue, reader: ShapeReader): Preference | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (ownValue(value, 'kind') !== 'Preference') return undefined;
  const version = ownValue(value, 'apiVersion');
  if (version === `${group}/v1beta1`) return reader.object(value, '', readBeta);
  return version === `${group}/v1alpha1` ? reader.object(value, '', readAlpha) : undefined;
}

function readBeta(fields: Fields): Preference {
  const lists = readLists(fields, { defaults: 'defaults', options: 'options' });
  return {
    ...lists,
    credentialPluginPolicy: fields.text('credentialPluginPolicy'),
    credentialPluginAllowlist: fields.objects('credentialPluginAllowlist', readEntry),
  };
}

const readAlpha = (fields: Fields): Preference => ({
  ...readLists(fields, { defaults: 'overrides', options: 'flags' }),
  ...{ credentialPluginPolicy: '', credentialPluginAllowlist: undefined },
});

/** What the versions have in common, by the names that they have for it. */
function readLists(
  fields: Fields,
  names: { defaults: string; options: string },
): Pick<Preference, 'defaults' | 'aliases'> {
  for (const name of ['apiVersion', 'kind']) fields.text(name);
  const options = (of: Fields): FlagDefault[] =>
    of.objects(names.options, (option) => ({ name: option.text('name'), default: option.text('default') })) ??
    [];
  const defaults = fields.objects(names.defaults, (of) => ({
    command: of.text('command'),
    options: options(of),
  }));
  const aliases = fields.objects('aliases', (of) => ({
    ...{ name: of.text('name'), command: of.text('command') },
    ...{ prependArgs: of.texts('prependArgs'), appendArgs: of.texts('appendArgs') },
    options: options(of),
  }));
  return { defaults: defaults ?? [], aliases: aliases ?? [] };
}

/** `name` is what `command` was called before. */
function readEntry(fields: Fields): { command: string } {
  const [name, command] = [fields.text('name'), fields.text('command')];
  if (name && command && name !== command) throw new Error('name and command differ');
  return { command: command || name };
}
