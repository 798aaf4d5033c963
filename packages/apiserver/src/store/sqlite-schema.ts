import type { DatabaseSync } from 'node:sqlite';

/**
 * One row per write. `superseded_at` is the revision that replaced or deleted it; a row without `value` is a deletion.
 * So the live keys are the rows that are neither, the state at revision R is made of rows with
 * `revision <= R < superseded_at`, and the value before write R is the row with `superseded_at = R`.
 */
const schema = `
CREATE TABLE IF NOT EXISTS writes (
  revision        INTEGER PRIMARY KEY,
  superseded_at   INTEGER,
  create_revision INTEGER NOT NULL,
  version         INTEGER NOT NULL,
  expires_at_ms   INTEGER,
  key             TEXT NOT NULL,
  value           TEXT
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS live_keys ON writes (key) WHERE superseded_at IS NULL AND value IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS superseded ON writes (superseded_at) WHERE superseded_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS deletions ON writes (revision) WHERE value IS NULL;
CREATE INDEX IF NOT EXISTS expiries ON writes (expires_at_ms)
  WHERE expires_at_ms IS NOT NULL AND superseded_at IS NULL AND value IS NOT NULL;
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

const live = 'superseded_at IS NULL AND value IS NOT NULL';
const columns = 'revision, superseded_at, create_revision, version, expires_at_ms, key, value';

/** A row of `writes`. */
export interface WriteRow {
  revision: number;
  superseded_at: number | null;
  create_revision: number;
  version: number;
  expires_at_ms: number | null;
  key: string;
  value: string | null;
}

/** A row of `writes` with the one that it replaced. */
export interface ChangeRow extends WriteRow {
  before_revision: number | null;
  before_create_revision: number;
  before_version: number;
  before_value: string;
}

/** Makes the tables where they are missing. */
export function prepareSchema(database: DatabaseSync): void {
  database.exec(schema);
}

/** The prepared statements of a store. */
export function prepareStatements(database: DatabaseSync) {
  return {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    get: database.prepare(`SELECT ${columns} FROM writes WHERE key = ? AND ${live}`),
    insert: database.prepare(`INSERT INTO writes (${columns}) VALUES (?, NULL, ?, ?, ?, ?, ?)`),
    supersede: database.prepare('UPDATE writes SET superseded_at = ? WHERE revision = ?'),
    range: database.prepare(
      `SELECT ${columns} FROM writes WHERE key > ? AND key < ? AND ${live} ORDER BY key LIMIT ?`,
    ),
    count: database.prepare(`SELECT COUNT(*) AS count FROM writes WHERE key > ? AND key < ? AND ${live}`),
    rangeAt: database.prepare(
      `SELECT * FROM (
         SELECT ${columns} FROM writes WHERE key > ?1 AND key < ?2 AND ${live} AND revision <= ?3
         UNION ALL
         SELECT ${columns} FROM writes WHERE superseded_at > ?3 AND revision <= ?3 AND value IS NOT NULL
           AND key > ?1 AND key < ?2
       ) ORDER BY key LIMIT ?4`,
    ),
    countAt: database.prepare(
      `SELECT (SELECT COUNT(*) FROM writes WHERE key > ?1 AND key < ?2 AND ${live} AND revision <= ?3)
            + (SELECT COUNT(*) FROM writes WHERE superseded_at > ?3 AND revision <= ?3 AND value IS NOT NULL
                AND key > ?1 AND key < ?2) AS count`,
    ),
    history: database.prepare(
      `SELECT now.*, before.revision AS before_revision, before.create_revision AS before_create_revision,
              before.version AS before_version, before.value AS before_value
         FROM writes AS now LEFT JOIN writes AS before ON before.superseded_at = now.revision
        WHERE now.revision > ? AND now.revision <= ? AND now.key > ? AND now.key < ? ORDER BY now.revision`,
    ),
    expired: database.prepare(
      `SELECT ${columns} FROM writes WHERE expires_at_ms <= ? AND ${live} ORDER BY expires_at_ms LIMIT ?`,
    ),
    compactReplaced: database.prepare(
      'DELETE FROM writes WHERE revision IN (SELECT revision FROM writes WHERE superseded_at <= ? LIMIT ?)',
    ),
    compactDeleted: database.prepare(
      'DELETE FROM writes WHERE revision IN (SELECT revision FROM writes WHERE value IS NULL AND revision <= ? LIMIT ?)',
    ),
    has: database.prepare('SELECT 1 FROM writes WHERE revision = ?'),
    next: database.prepare('SELECT MIN(revision) AS revision FROM writes WHERE revision > ?'),
    last: database.prepare('SELECT MAX(revision) AS revision FROM writes WHERE revision <= ?'),
    latest: database.prepare('SELECT MAX(revision) AS revision FROM writes'),
    size: database.prepare(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    ),
    readFact: database.prepare('SELECT value FROM facts WHERE name = ?'),
    writeFact: database.prepare(
      'INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    ),
  };
}
