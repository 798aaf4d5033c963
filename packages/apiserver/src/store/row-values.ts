import { ifReadable, noSealing, type SealedValue, type Sealing, sealedMark } from './sealing.ts';
import type { ChangeRow, WriteRow } from './sqlite-schema.ts';
import type { StoreEvent } from './store.ts';
import type { StoredValue } from './stored-value.ts';

/** Rows of SQLite as values, and values as rows: sealed ones stand there as their prefix and, in base64, the rest. */
export class RowValues {
  readonly #sealing: Sealing;

  constructor(sealing: Sealing = noSealing) {
    this.#sealing = sealing;
  }

  /** See {@link Sealing.generation}. */
  get generation(): number {
    return this.#sealing.generation;
  }

  /** What to store. */
  toRow(value: string, key: string): string {
    const sealed = this.#sealing.seal(value, { key, storedKey: key });
    return sealed ? sealedText(sealed) : value;
  }

  /** Throws `StoreError` `unreadable`. */
  toValue(row: WriteRow): StoredValue {
    const { key, value: text } = row;
    const place = { key, storedKey: key };
    if (!text?.startsWith(sealedMark)) {
      const isStale = this.#sealing.isPlainStale(place);
      return asStored(row, text ?? '', isStale);
    }
    const { plain, isStale } = this.#sealing.open(sealedBytes(text), place);
    return asStored(row, plain.toString(), isStale);
  }

  /** Throws `unreadable` for what came to be; what was there before, and can't be read, is left out. */
  toEvent(row: ChangeRow): StoreEvent {
    const { key, revision, before_revision, before_create_revision, before_version, before_value } = row;
    const current = row.value === null ? null : this.toValue(row);
    if (before_revision === null) return { revision, key, current, previous: null };
    const before = { revision: before_revision, create_revision: before_create_revision };
    const previous = { ...row, ...before, version: before_version, value: before_value };
    return { revision, key, current, previous: ifReadable(() => this.toValue(previous)) ?? null };
  }
}

/** A row whose text is known to be this. */
export function asStored(row: WriteRow, value: string, isStale = false): StoredValue {
  const { key, create_revision: createRevision, revision: modRevision, version } = row;
  return { key, value, createRevision, modRevision, version, ...(isStale && { isStale }) };
}

function sealedText({ prefix, bytes }: SealedValue): string {
  return `${prefix}${bytes.toString('base64')}`;
}

function sealedBytes(text: string): Buffer {
  const start = text.lastIndexOf(':') + 1;
  return Buffer.concat([Buffer.from(text.slice(0, start)), Buffer.from(text.slice(start), 'base64')]);
}
