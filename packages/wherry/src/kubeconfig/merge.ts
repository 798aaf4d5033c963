import { type Document, isMap, isSeq, parseDocument } from 'yaml';
import { CommandError } from '../errors.ts';

/** The lists of a kubeconfig whose entries have names. */
const lists = ['clusters', 'users', 'contexts'] as const;

/**
 * A kubeconfig with the entries of `addition` in it, in place of those of the same name, and its context as the current
 * one. What else stands there stays, comments too. Throws `CommandError` where `existing` is no kubeconfig.
 */
export function mergeKubeconfig(existing: string, addition: string): string {
  const target = read(existing);
  const source = read(addition);
  for (const key of ['apiVersion', 'kind']) if (!target.has(key)) target.set(key, source.get(key));
  for (const list of lists) {
    for (const entry of entriesOf(source, list)) {
      removeNamed(target, list, entry.name);
      target.addIn([list], target.createNode(entry));
    }
  }
  target.set('current-context', source.get('current-context'));
  return target.toString();
}

/** A kubeconfig without the entries called `name`; nothing when it had none. */
export function withoutKubeconfig(existing: string, name: string): string | undefined {
  const target = read(existing);
  const removed = lists.map((list) => removeNamed(target, list, name));
  if (!removed.includes(true)) return undefined;
  if (target.get('current-context') === name) target.set('current-context', '');
  return target.toString();
}

function read(text: string): Document {
  const document = parseDocument(text.trim() === '' ? '{}' : text);
  if (document.errors.length > 0 || !isMap(document.contents)) {
    throw new CommandError('the file is no kubeconfig; it is left as it is');
  }
  if (document.contents.items.length === 0) document.contents.flow = false;
  return document;
}

function entriesOf(document: Document, list: string): { name: string }[] {
  const { [list]: entries } = document.toJS() as Record<string, unknown>;
  return Array.isArray(entries) ? entries : [];
}

/** Removes the entries of that name, and makes the list where there is none. */
function removeNamed(document: Document, list: string, name: string): boolean {
  const entries = document.get(list);
  if (!isSeq(entries)) {
    document.set(list, document.createNode([], { flow: false }));
    return false;
  }
  const before = entries.items.length;
  entries.items = entries.items.filter((item) => !isMap(item) || item.get('name') !== name);
  entries.flow = false;
  return entries.items.length < before;
}
