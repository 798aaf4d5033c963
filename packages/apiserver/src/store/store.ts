import type { StoreError } from './errors.ts';
import type { StoredValue } from './stored-value.ts';

/** One write that has happened. A deletion has no `current`; the first value has no `previous`. */
export interface StoreEvent {
  readonly revision: number;
  readonly key: string;
  readonly current: StoredValue | null;
  readonly previous: StoredValue | null;
}

/** What to write, and under which condition. */
export interface StoreWrite {
  key: string;
  /** null deletes. */
  value: string | null;
  /** The modRevision that the key must have now; 0 = it must not exist. Left out = no matter. */
  expectedRevision?: number | undefined;
  /** The key is deleted by itself after this time. Default: never. */
  lifetimeMs?: number | undefined;
  /** Of the object that is written, for stores whose values say it. */
  kind?: string | undefined;
}

/** What a successful write did. */
export interface StoreWriteResult {
  /** Revision of this write; of the store when there was nothing to delete. */
  revision: number;
  previous: StoredValue | null;
}

/** Which keys to read. */
export interface RangeOptions {
  /** Keys that begin with this and go on: the key that is this itself is none of them. */
  prefix: string;
  /** Only keys that come after this one in byte order. */
  after?: string | undefined;
  /** At most so many. Default: all. */
  limit?: number | undefined;
  /** As of this revision. Default: now. */
  revision?: number | undefined;
  /** The page ends after the value that exceeds so many characters. Default: no matter. */
  charactersMax?: number | undefined;
  /** Whether `remaining` is asked for, which costs a look at all of those keys. Default false. */
  countsRemaining?: boolean | undefined;
}

/** Keys in byte order, and the revision of the snapshot they belong to. */
export interface RangePage {
  readonly items: readonly StoredValue[];
  readonly revision: number;
  /** Whether keys of the range come after this page. */
  readonly hasMore: boolean;
  /** How many; undefined when it was not asked for. */
  readonly remaining: number | undefined;
}

/** Past writes, oldest first. */
export interface HistoryPage {
  readonly events: readonly StoreEvent[];
  /** All writes of the prefix up to this revision have been told. */
  readonly revision: number;
  /** Whether that is the latest one. */
  readonly isCurrent: boolean;
}

/** What to follow. */
export interface StoreWatchOptions {
  prefix: string;
  /** Every later write is reported, once, in order. Default: what comes from now on. */
  afterRevision?: number | undefined;
  /** Must not throw, must not wait: a batch is what one commit made durable. */
  onEvents(events: readonly StoreEvent[]): void;
  /** The store closed or can't go on; nothing is reported afterwards. Not called by `close()`. */
  onEnd?(error: Error): void;
}

/** A running watch. */
export interface StoreWatch {
  close(): void;
}

/**
 * A key-value store with etcd's semantics: one revision counts all writes; a write may demand the revision of the
 * value it replaces; reads and watches may start from any revision that has not been compacted.
 * All methods reject with `StoreError`.
 */
export interface Store {
  /**
   * Present where other servers write too: then whether those who keep the store have answered within this time lately.
   * Such a store forgets its history by itself.
   */
  readonly shared?: { answersWithin(timeoutMs: number): boolean };
  /**
   * Resolves with the reason when the store can't go on (code `failed`): every acknowledged write is safe, and every
   * later call rejects. Stays pending otherwise, also after {@link close}.
   */
  readonly failed: Promise<StoreError>;
  /** Revision of the latest write; 1 when there was none, as in etcd. */
  revision(): Promise<number>;
  get(key: string): Promise<StoredValue | null>;
  range(options: RangeOptions): Promise<RangePage>;
  /**
   * Resolves once the write is durable. `conflict` when `expectedRevision` is not what is there. What is to be written
   * `alongside`, of other keys, is written just before it, at the same revision or an earlier one, or not at all, and its conditions count as well.
   */
  write(write: StoreWrite, alongside?: readonly StoreWrite[]): Promise<StoreWriteResult>;
  /**
   * The next writes of a prefix after a revision: a page of bounded size, so that who is far behind can catch up at its
   * own pace. Throws as {@link watch} does.
   */
  history(options: { prefix: string; afterRevision: number }): Promise<HistoryPage>;
  /** `compacted` when events after `afterRevision` are no longer known; `future` when it has not happened yet. */
  watch(options: StoreWatchOptions): Promise<StoreWatch>;
  /** Forgets what was replaced at or before `revision`; older reads and watches get `compacted`. */
  compact(revision: number): Promise<void>;
  /** What the store takes on its disk. */
  sizeBytes(): Promise<number>;
  close(): Promise<void>;
}
