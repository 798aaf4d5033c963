import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'yaml';
import { CommandError } from '../errors.ts';
import { type ConfigPlace, type ConfigState, contentOf, readConfig } from './config-state.ts';
import { type Fields, readDocument, removeEntry, setEntry, writeDocument } from './document.ts';
import type { List } from './lists.ts';
import { readIfThere, replaceFile, underLocks } from './locked-file.ts';

/** What an entry is to say; a new one goes into `file`, by default where new ones go. */
export interface EntryChange {
  list: List;
  name: string;
  fields: Fields;
  file?: string;
}

/** One thing that is to be otherwise. */
export type Change =
  | EntryChange
  | { list: List; gone: string }
  | { currentContext: string }
  | { preferences: Fields };

/** What a command does to what it found. */
export interface ConfigPlan {
  changes: readonly Change[];
  /** What is printed once it is done. */
  says: string;
}

/**
 * Changes kubeconfigs, each thing in the file that has it, under the locks of all that count, as kubectl does. What is planned for
 * what is read before the locks is planned anew for what is read under them. Gives back what there is to say. Throws what `plan`
 * throws, and `CommandError` while another changes one of the files.
 */
export function changeConfig(place: ConfigPlace, plan: (state: ConfigState) => ConfigPlan): string {
  const found = readConfig(place);
  plan(found);
  return underLocks(found.files, () => {
    const state = readConfig(place);
    const { changes, says } = plan(state);
    const documents = new Map<string, Document>();
    for (const change of changes) carryOut(change, state, documents);
    for (const [file, document] of documents) replaceFile(file, writeDocument(document));
    return says;
  });
}

function carryOut(change: Change, state: ConfigState, documents: Map<string, Document>): void {
  if ('currentContext' in change) setCurrent(change.currentContext, state, documents);
  else if ('preferences' in change) setPreferences(change.preferences, state, documents);
  else if ('fields' in change) setFields(change, state, documents);
  else {
    const file = state[change.list].get(change.gone)?.file;
    if (file !== undefined) removeEntry(open(file, documents), change.list, change.gone);
  }
}

function setFields(change: EntryChange, state: ConfigState, documents: Map<string, Document>): void {
  const { list, name, fields } = change;
  const there = state[list].get(name);
  if (there && isDeepStrictEqual(there.fields, fields)) return;
  const file = there?.file ?? change.file ?? state.defaultFile;
  setEntry(open(file, documents), list, { name, after: fields, ...(there ? { before: there.fields } : {}) });
}

function open(file: string, documents: Map<string, Document>): Document {
  const document = documents.get(file) ?? readDocument(readIfThere(file));
  documents.set(file, document);
  return document;
}

/** Without a context it is the first file that names one which names none any more. */
function setCurrent(name: string, state: ConfigState, documents: Map<string, Document>): void {
  if (name === state.currentContext) return;
  const file =
    name === '' && state.explicitFile === undefined
      ? state.files.find((one) => contentOf(one).currentContext !== '')
      : state.defaultFile;
  if (file !== undefined) open(file, documents).set('current-context', name);
}

function setPreferences(preferences: Fields, state: ConfigState, documents: Map<string, Document>): void {
  if (isDeepStrictEqual(preferences, state.preferences)) return;
  const file = state.files.find((one) => !isDeepStrictEqual(contentOf(one).preferences, preferences));
  if (file === undefined) throw new CommandError('no config found to write preferences');
  const document = open(file, documents);
  if (Object.keys(preferences).length === 0) document.delete('preferences');
  else document.set('preferences', document.createNode(preferences));
}
