import { chmodSync, closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from './errors.ts';
import { prepareSchema } from './sqlite-schema.ts';

/**
 * Opens a store's file, made when missing. Throws `StoreError` `failed` when it can't be opened, belongs to another
 * process, or can't be made durable. With `erases` nothing is left in it of what was replaced and forgotten.
 */
export function openDatabase(path: string, { erases = false }: { erases?: boolean } = {}): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (path !== ':memory:') makePrivate(path);
    database = new DatabaseSync(path);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA temp_store = MEMORY;');
    database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -4000;');
    if (erases) database.exec('PRAGMA secure_delete = ON');
    prepareSchema(database);
    // The log may hold what an earlier process could write but not flush, and the kernel then keeps in memory as if it
    // were on the disk. Writing it anew, into the database, makes it durable or fails here.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    if (path !== ':memory:') flushFolder(dirname(path));
    database.exec('PRAGMA synchronous = NORMAL');
    return database;
  } catch (error) {
    close(database);
    const reason = (error as Error).message;
    throw new StoreError('failed', `opening the store "${path}": ${reason}`, { cause: error });
  }
}

/**
 * Makes the file, or takes the rights of others off it and off what an earlier process left beside it: secrets lie in
 * it. SQLite gives its other files the mode of this one.
 */
function makePrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

/** Makes the names of the files in a folder durable, and the folder's own name. */
function flushFolder(folder: string): void {
  for (const path of [folder, dirname(folder)]) {
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

function close(database: DatabaseSync | undefined): void {
  try {
    database?.close();
  } catch {
    // The failure that led here is the one to tell.
  }
}
