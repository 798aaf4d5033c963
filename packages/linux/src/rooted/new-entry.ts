import { lchownSync, lutimesSync, mkdirSync, readSync, symlinkSync, writeSync } from 'node:fs';
import { hasCode } from '../errors.ts';
import { makeNode, type NodeRequest, setXattr } from '../filesystem/file-attributes.ts';
import type { OpenFolder } from './open-folder.ts';
import type { EntryPath } from './open-in-root.ts';

const copyBytes = 1024 * 1024;

/** Something that is put into a tree, and is no regular file. */
export type NewEntry =
  | { type: 'directory' }
  | { type: 'symlink'; linkTarget: string }
  | { type: NodeRequest['type']; major: number; minor: number };

/** What an entry of a tree says of itself. */
export interface EntryFacts {
  uid: number;
  gid: number;
  /** Permission bits; undefined for a link, which has none. */
  mode: number | undefined;
  /** Extended attributes: names and values. */
  attributes: Iterable<readonly [string, Uint8Array]>;
  accessedSeconds: number;
  modifiedSeconds: number;
}

/** Makes an entry that nobody else may use before {@link finishEntry}. */
export function makeEntry(path: EntryPath, entry: NewEntry): void {
  if (entry.type === 'directory') mkdirSync(path, { mode: 0o700 });
  else if (entry.type === 'symlink') symlinkSync(entry.linkTarget, path);
  else makeNode(path, { mode: 0o600, ...entry });
}

/**
 * Gives what has this name its facts, and follows no link. Owner first, then mode (chown clears setuid), then attributes
 * (chown drops capabilities too), then times.
 */
export function finishEntry(folder: OpenFolder, name: string, facts: EntryFacts): void {
  const path = folder.entry(name);
  lchownSync(path, facts.uid, facts.gid);
  if (facts.mode !== undefined) folder.setMode(name, facts.mode);
  setAttributes(path, facts.attributes);
  lutimesSync(path, facts.accessedSeconds, facts.modifiedSeconds);
}

/** Sets extended attributes; one that the file system refuses is left out, as containerd does. */
export function setAttributes(path: EntryPath, attributes: EntryFacts['attributes']): void {
  for (const [name, value] of attributes) {
    try {
      setXattr(path, name, value);
    } catch (error) {
      if (!hasCode(error, 'ENOTSUP', 'EPERM')) throw error;
    }
  }
}

/** Copies what one open file has, from where it stands to its end, into another. */
export function copyContent(source: number, target: number): void {
  const buffer = Buffer.alloc(copyBytes);
  for (let read = readSync(source, buffer); read > 0; read = readSync(source, buffer)) {
    for (let at = 0; at < read; ) at += writeSync(target, buffer, at, read - at);
  }
}
