import type { Document } from 'yaml';
import { readDocument, removeEntry } from './document.ts';
import { lists } from './lists.ts';

/**
 * A kubeconfig with the entries of `addition` in it, in place of those of the same name, and its context as the current
 * one. What else stands there stays, comments too. Throws `CommandError` where `existing` is no kubeconfig.
 */
export function mergeKubeconfig(existing: string, addition: string): string {
  const target = readDocument(existing);
  const source = readDocument(addition);
  for (const key of ['apiVersion', 'kind']) if (!target.has(key)) target.set(key, source.get(key));
  for (const list of lists) {
    for (const entry of entriesOf(source, list)) {
      removeEntry(target, list, entry.name);
      target.addIn([list], target.createNode(entry));
    }
  }
  target.set('current-context', source.get('current-context'));
  return target.toString();
}

/** A kubeconfig without the entries called `name`; nothing when it had none. */
export function withoutKubeconfig(existing: string, name: string): string | undefined {
  const target = readDocument(existing);
  const removed = lists.map((list) => removeEntry(target, list, name));
  if (!removed.includes(true)) return undefined;
  if (target.get('current-context') === name) target.set('current-context', '');
  return target.toString();
}

function entriesOf(document: Document, list: string): { name: string }[] {
  const { [list]: entries } = document.toJS() as Record<string, unknown>;
  return Array.isArray(entries) ? entries : [];
}
