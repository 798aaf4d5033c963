import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, OpenFolder, removeTreeInTurns, writeRecord } from '@wherry/linux';

const recordName = 'record.json';

/**
 * One folder per object, with its record and its files. Records are written without fsync: they survive the death of this
 * process at any moment, and what a power cut loses is a container that the power cut ended too.
 */
export class RecordFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
    makePrivateFolder(root);
  }

  /** The object's folder. */
  path(id: string, ...names: string[]): string {
    return join(this.root, id, ...names);
  }

  /** Makes the object's folder. */
  make(id: string): string {
    const path = this.path(id);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }

  /** Replaces the object's record. */
  write(id: string, text: string): void {
    writeRecord(this.path(id, recordName), text);
  }

  /** Every readable record, and the ids of folders without one (a crash's remainders). */
  read<Item>(decode: (text: string) => Item): { items: Item[]; orphans: string[] } {
    const items: Item[] = [];
    const orphans: string[] = [];
    for (const id of readdirSync(this.root)) {
      try {
        items.push(decode(readFileSync(this.path(id, recordName), 'utf8')));
      } catch {
        orphans.push(id);
      }
    }
    return { items, orphans };
  }

  /**
   * Removes the record at once, so that a crash in between leaves an orphan and no half object; then the files, which
   * may take a while, and may have been made by a container: any depth, any names. Must hold no mounts.
   */
  async remove(id: string): Promise<void> {
    rmSync(this.path(id, recordName), { force: true });
    using root = OpenFolder.at(this.root);
    await removeTreeInTurns(root.descriptor, id);
  }
}
