import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { CommandError } from '../errors.ts';
import { type List, listFields } from './lists.ts';

/** What an entry says, by the names of the file format. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses a kubeconfig so that what is not changed stays as it is, comments too. An empty file is an empty kubeconfig. Throws
 * `CommandError` for what is none. Texts that older YAML takes for something else (`yes`) are quoted when it is written.
 */
export function readDocument(text: string): Document {
  const document = parseDocument(text.trim() === '' ? '{}' : text, { compat: 'yaml-1.1' });
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new CommandError('the file is no kubeconfig; it is left as it is');
  }
  if (document.contents.items.length === 0) document.contents.flow = false;
  return document;
}

/** The text of a kubeconfig with all that each has. */
export function writeDocument(document: Document): string {
  const always = { apiVersion: 'v1', kind: 'Config', clusters: null, contexts: null, users: null };
  for (const [name, value] of Object.entries({ ...always, 'current-context': '' }))
    if (!document.has(name)) document.set(name, value);
  return document.toString({ lineWidth: 0 });
}

/** Puts an entry into its list, or changes in the one that is there what is another than `before`. */
export function setEntry(
  document: Document,
  list: List,
  entry: { name: string; before?: Fields; after: Fields },
): void {
  const { name, before = {}, after } = entry;
  const field = listFields[list];
  const item = itemOf(document, list, name);
  const fields = item?.get(field);
  if (!item) document.addIn([list], document.createNode({ name, [field]: after }));
  else if (!isMap(fields)) item.set(field, document.createNode(after));
  else changeFields(document, fields, { before, after });
}

function changeFields(
  document: Document,
  fields: YAMLMap,
  { before, after }: { before: Fields; after: Fields },
): void {
  const wanted = new Map(Object.entries(after));
  const known = new Map(Object.entries(before));
  for (const name of known.keys()) if (!wanted.has(name)) fields.delete(name);
  for (const [name, value] of wanted)
    if (!isDeepStrictEqual(known.get(name), value)) fields.set(name, document.createNode(value));
}

function itemOf(document: Document, list: List, name: string): YAMLMap | undefined {
  return blockList(document, list).find((item) => isMap(item) && item.get('name') === name) as
    | YAMLMap
    | undefined;
}

/** The items of a list, which is made where there is none, and is written with a line for each. */
function blockList(document: Document, list: List): unknown[] {
  const entries = document.get(list);
  if (!isSeq(entries)) {
    document.set(list, document.createNode([], { flow: false }));
    return [];
  }
  entries.flow = false;
  return entries.items;
}

/** Takes the entries of that name out of a list, which is made where there is none. True when there was any. */
export function removeEntry(document: Document, list: List, name: string): boolean {
  const before = blockList(document, list).length;
  const entries = document.get(list);
  if (!isSeq(entries)) return false;
  entries.items = entries.items.filter((item) => !isMap(item) || item.get('name') !== name);
  return entries.items.length < before;
}
