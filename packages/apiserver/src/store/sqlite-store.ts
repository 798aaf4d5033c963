import type { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock, type Timer } from '@wherry/clock';
import { limits, periods } from '../limits.ts';
import { CommitGroup } from './commit-group.ts';
import { DiskFlush } from './disk-flush.ts';
import { StoreError } from './errors.ts';
import { RecentValues } from './recent-values.ts';
import { asStored, RowValues } from './row-values.ts';
import { ifReadable, KeyNeeded, type Sealing, withKeys } from './sealing.ts';
import { isDiskFull, isDoubtful } from './sqlite-errors.ts';
import { openDatabase } from './sqlite-file.ts';
import { type ChangeRow, prepareStatements, type WriteRow } from './sqlite-schema.ts';
import type {
  HistoryPage,
  RangeOptions,
  RangePage,
  Store,
  StoreEvent,
  StoreWatch,
  StoreWatchOptions,
  StoreWrite,
  StoreWriteResult,
} from './store.ts';
import type { StoredValue } from './stored-value.ts';
import { WatchHub } from './watch-hub.ts';

/** Where and how a SQLite store lives. */
export interface SqliteStoreOptions {
  /** Path of the database file, or `:memory:`. */
  path: string;
  /**
   * What an acknowledged write survives: `machine` = loss of power (one fdatasync per group of writes), `process` =
   * the death of this process. Default `machine`.
   */
  durability?: 'machine' | 'process';
  clock?: Clock;
  /** What values pass on their way to the disk. Default: they stand there as they are. */
  sealing?: Sealing | undefined;
}

/** What is to be written, and what stands there. */
interface FoundPlace {
  write: StoreWrite;
  /** The value as it is stored. */
  stored: string | null;
  standing: StoredValue | null;
  /** The same; null of a value that nobody here can read, too. */
  current: StoredValue | null;
  isExpected: boolean;
}

/**
 * A {@link Store} in one SQLite file (write-ahead log), opened by one process at a time. Opening throws `StoreError`
 * `failed` when another process has it.
 */
export class SqliteStore implements Store {
  readonly failed: Promise<StoreError>;
  readonly #database: DatabaseSync;
  readonly #statements: ReturnType<typeof prepareStatements>;
  readonly #group: CommitGroup;
  readonly #clock: Clock;
  readonly #hub: WatchHub;
  readonly #disk: DiskFlush | undefined;
  /** As the open transaction has them. */
  readonly #recent = new RecentValues();
  readonly #path: string;
  readonly #rows: RowValues;
  /** Of the sealing that {@link #recent} was read by. */
  #generation: number;
  /** Events of the open transaction. */
  #open: StoreEvent[] = [];
  /** Events that are committed and not yet durable. */
  #committed: StoreEvent[] = [];
  /** Of the latest write in the open transaction. */
  #revision: number;
  #committedRevision: number;
  #durableRevision: number;
  /** The revision at which the store was opened, and the least that the next may be. */
  readonly #opened: { at: number; next: number };
  #compacted: number;
  #sweep: Timer | undefined;
  #isClosed = false;
  #failure: StoreError | undefined;
  readonly #tellFailure: (failure: StoreError) => void;

  constructor(options: SqliteStoreOptions) {
    const { promise, resolve } = Promise.withResolvers<StoreError>();
    this.failed = promise;
    this.#tellFailure = resolve;
    this.#rows = new RowValues(options.sealing);
    this.#generation = this.#rows.generation;
    this.#database = openDatabase(options.path, { erases: options.sealing !== undefined });
    this.#path = options.path;
    this.#statements = prepareStatements(this.#database);
    this.#clock = options.clock ?? systemClock;
    this.#compacted = (this.#statements.readFact.get('compacted')?.['value'] as number | undefined) ?? 0;
    const latest = this.#statements.latest.get()?.['revision'] as number | null;
    this.#revision = Math.max(latest ?? 1, this.#compacted, 1);
    this.#opened = { at: this.#revision, next: latest === null ? 1 : this.#clock.nowMs() };
    this.#committedRevision = this.#revision;
    this.#durableRevision = this.#revision;
    this.#hub = new WatchHub(this.#revision);
    const isFlushed = options.path !== ':memory:' && options.durability !== 'process';
    this.#disk = isFlushed ? new DiskFlush(options.path) : undefined;
    this.#group = new CommitGroup({
      begin: () => this.#statements.begin.run(),
      commit: () => this.#commit(),
      rollback: () => this.#rollback(),
      isFatal: isDoubtful,
      sync: async () => this.#disk?.flush(),
      durable: () => this.#publish(),
      broken: (error) => this.#break(error),
    });
    this.#scheduleSweep();
  }

  async revision(): Promise<number> {
    this.#assertOpen();
    return this.#durableRevision;
  }

  async get(key: string): Promise<StoredValue | null> {
    return withKeys(() => {
      this.#assertOpen();
      // What is not durable yet is not there yet: a reader might act on it.
      const pending = this.#pending((event) => event.key === key);
      return pending ? pending.previous : this.#guarded(() => this.#read(key));
    });
  }

  async range(options: RangeOptions): Promise<RangePage> {
    return withKeys(() => {
      this.#assertOpen();
      return this.#guarded(() => this.#range(options));
    });
  }

  #range(options: RangeOptions): RangePage {
    const { prefix, after, revision, countsRemaining } = options;
    const bounds = [after ?? prefix, endOf(prefix)] as const;
    const now = this.#durableRevision;
    const { range, count, rangeAt, countAt } = this.#statements;
    const isQuiet = this.#pending((event) => event.key.startsWith(prefix)) === undefined;
    const isNow = isQuiet && (revision === undefined || revision === now);
    const at = revision ?? now;
    if (!isNow) this.#checkRevision(at);
    const read = (from: string, rows: number) =>
      (isNow ? range.all(from, bounds[1], rows) : rangeAt.all(from, bounds[1], at, rows)) as unknown[];
    const readValues = (from: string, rows: number) => read(from, rows) as WriteRow[];
    const { items, hasMore } = pageOf(readValues, options, (row) => this.#rows.toValue(row));
    if (!countsRemaining) return { items, revision: at, hasMore, remaining: undefined };
    const total = () => countOf(isNow ? count.get(...bounds) : countAt.get(...bounds, at));
    return { items, revision: at, hasMore, remaining: hasMore ? total() - items.length : 0 };
  }

  async history(options: { prefix: string; afterRevision: number }): Promise<HistoryPage> {
    return withKeys(() => {
      this.#assertOpen();
      this.#checkRevision(options.afterRevision);
      return this.#guarded(() => this.#historyPage(options));
    });
  }

  async write(write: StoreWrite, alongside: readonly StoreWrite[] = []): Promise<StoreWriteResult> {
    // Nothing is waited for between the look and the write, unless a key is: then it is looked again.
    let places = this.#findAll(write, alongside);
    while (places instanceof KeyNeeded) {
      await places.arrival;
      places = this.#findAll(write, alongside);
    }
    const [found, ...others] = places;
    const stale = [found, ...others].find(({ isExpected }) => !isExpected);
    if (stale) {
      const { current, standing } = stale;
      const { key } = stale.write;
      // The value that stands in the way may itself still be on its way to the disk.
      await this.#group.settled();
      this.#assertOpen();
      const text = `"${key}" is at revision ${standing?.modRevision ?? 0}`;
      throw new StoreError('conflict', text, { key, current });
    }
    if (write.value === null && !found.standing) {
      await this.#group.settled();
      this.#assertOpen();
      return { revision: this.#durableRevision, previous: null };
    }
    return this.#group
      .add(() => {
        for (const other of others) this.#apply(other);
        return this.#apply(found);
      })
      .catch((error: Error) => {
        if (this.#failure) throw this.#failure;
        const code = isDiskFull(error) ? 'full' : 'failed';
        throw new StoreError(code, `writing "${write.key}": ${error.message}`, { cause: error });
      });
  }

  async watch(options: StoreWatchOptions): Promise<StoreWatch> {
    return withKeys(() => {
      this.#assertOpen();
      const { prefix, afterRevision = this.#durableRevision } = options;
      this.#checkRevision(afterRevision);
      const missed = this.#guarded(() => this.#missedEvents({ prefix, afterRevision }));
      return this.#hub.add(options, missed, this.#durableRevision);
    });
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen();
    this.#assertHappened(revision);
    if (revision <= this.#compacted) return;
    await this.#group.add(() => this.#statements.writeFact.run('compacted', revision));
    this.#compacted = Math.max(this.#compacted, revision);
    // What a crash leaves of this the next compaction deletes: from here on nobody can see it.
    for (const statement of [this.#statements.compactReplaced, this.#statements.compactDeleted]) {
      for (let deleted: number = limits.compactionRows; deleted === limits.compactionRows; ) {
        this.#assertOpen();
        deleted = await this.#group.add(() => Number(statement.run(revision, limits.compactionRows).changes));
      }
    }
  }

  async sizeBytes(): Promise<number> {
    this.#assertOpen();
    return this.#guarded(() => Number(this.#statements.size.get()?.['bytes'] ?? 0));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sweep?.cancel();
    await this.#group.settled();
    this.#hub.close(new StoreError('closed', 'the store was closed'));
    this.#disk?.close();
    try {
      this.#database.close();
    } catch (error) {
      // What a broken disk refuses at the end was refused to its writer before.
      if (!this.#failure)
        throw new StoreError('failed', `closing the store: ${(error as Error).message}`, { cause: error });
    }
  }

  #findAll(write: StoreWrite, alongside: readonly StoreWrite[]): [FoundPlace, ...FoundPlace[]] | KeyNeeded {
    this.#assertOpen();
    try {
      return [this.#find(write), ...alongside.map((other) => this.#find(other))];
    } catch (error) {
      if (error instanceof KeyNeeded) return error;
      throw error;
    }
  }

  /** What stands where something is to be written, and whether it is what the writer expects there. */
  #find(write: StoreWrite): FoundPlace {
    const { key, value, expectedRevision } = write;
    return this.#guarded(() => {
      const current = ifReadable(() => this.#read(key));
      const standing = current === undefined ? asStored(this.#rowAt(key)!, '') : current;
      const isExpected = expectedRevision === undefined || expectedRevision === (standing?.modRevision ?? 0);
      const stored = value === null || !isExpected ? null : this.#rows.toRow(value, key);
      return { write, stored, standing, current: current ?? null, isExpected };
    });
  }

  #apply({ write, stored, standing, current: previous }: FoundPlace): StoreWriteResult {
    const { key, value } = write;
    const revision = Math.max(this.#revision + 1, this.#opened.next);
    const createRevision = standing?.createRevision ?? revision;
    const version = value === null ? 0 : (standing?.version ?? 0) + 1;
    const expiresAtMs = write.lifetimeMs === undefined ? null : this.#clock.nowMs() + write.lifetimeMs;
    if (standing) this.#statements.supersede.run(revision, standing.modRevision);
    this.#statements.insert.run(revision, createRevision, version, expiresAtMs, key, stored);
    this.#revision = revision;
    const current = value === null ? null : { key, value, createRevision, modRevision: revision, version };
    if (current) this.#recent.set(current);
    else this.#recent.delete(key);
    this.#open.push({ revision, key, current, previous });
    return { revision, previous };
  }

  #commit(): void {
    this.#statements.commit.run();
    this.#committedRevision = this.#revision;
    this.#committed = this.#open;
    this.#open = [];
  }

  #rollback(): void {
    this.#recent.clear();
    if (this.#database.isTransaction) this.#statements.rollback.run();
    this.#revision = this.#committedRevision;
    this.#open = [];
  }

  #publish(): void {
    const events = this.#committed;
    this.#committed = [];
    this.#durableRevision = events.at(-1)?.revision ?? this.#durableRevision;
    if (events.length > 0) this.#hub.publish(events);
  }

  /**
   * The disk refused something, and nobody can tell any more what is on it. A second try would prove nothing: after a
   * failed flush the kernel takes what it could not write for written.
   */
  #break(cause: Error): void {
    if (this.#failure) return;
    const text = `the store "${this.#path}" can't go on: ${cause.message}`;
    this.#failure = new StoreError('failed', text, { cause });
    this.#sweep?.cancel();
    this.#hub.close(this.#failure);
    this.#tellFailure(this.#failure);
  }

  #guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isDoubtful(error as Error)) throw error;
      this.#break(error as Error);
      throw this.#failure;
    }
  }

  /** The first event, not yet durable, that is meant. */
  #pending(isMeant: (event: StoreEvent) => boolean): StoreEvent | undefined {
    return this.#committed.find(isMeant) ?? this.#open.find(isMeant);
  }

  /** All of them at once, within bounds. */
  #missedEvents({ prefix, afterRevision }: { prefix: string; afterRevision: number }): readonly StoreEvent[] {
    const events: StoreEvent[] = [];
    for (let at = afterRevision; ; ) {
      const page = this.#historyPage({ prefix, afterRevision: at });
      events.push(...page.events);
      if (events.length > limits.catchUpEventsMax) {
        throw new StoreError('compacted', `revision ${afterRevision} is too far in the past to catch up`);
      }
      if (page.isCurrent) return events;
      at = page.revision;
    }
  }

  #historyPage({ prefix, afterRevision }: { prefix: string; afterRevision: number }): HistoryPage {
    const latest = this.#durableRevision;
    const recent = this.#hub.recent(afterRevision);
    if (recent) {
      const events = recent.filter(({ key }) => key.startsWith(prefix));
      return { events, revision: latest, isCurrent: true };
    }
    const until = Math.min(latest, this.#endOfPage(afterRevision) ?? latest);
    const events: StoreEvent[] = [];
    let characters = 0;
    for (const row of this.#statements.history.iterate(afterRevision, until, prefix, endOf(prefix))) {
      const event = this.#rows.toEvent(row as unknown as ChangeRow);
      events.push(event);
      characters += (event.current?.value.length ?? 0) + (event.previous?.value.length ?? 0);
      if (characters > limits.pageCharactersMax)
        return { events, revision: event.revision, isCurrent: event.revision === latest };
    }
    return { events, revision: until, isCurrent: until === latest };
  }

  /** A revision that was written, not many after this one; between openings there are none. */
  #endOfPage(afterRevision: number): number | undefined {
    const { next, last } = this.#statements;
    const first = next.get(afterRevision)?.['revision'] as number | null;
    if (first === null) return undefined;
    return last.get(first + limits.historyPageRevisions)?.['revision'] as number;
  }

  #read(key: string): StoredValue | null {
    if (this.#generation !== this.#rows.generation) this.#recent.clear();
    this.#generation = this.#rows.generation;
    const known = this.#recent.get(key);
    if (known) return known;
    const row = this.#rowAt(key);
    if (!row) return null;
    const value = this.#rows.toValue(row);
    this.#recent.set(value);
    return value;
  }

  #rowAt(key: string): WriteRow | undefined {
    return this.#statements.get.get(key) as unknown as WriteRow | undefined;
  }

  #assertOpen(): void {
    if (this.#failure) throw this.#failure;
    if (this.#isClosed) throw new StoreError('closed', 'the store was closed');
  }

  #assertHappened(revision: number): void {
    const latest = this.#durableRevision;
    if (revision <= latest) return;
    throw new StoreError('future', `revision ${revision} has not happened, the latest is ${latest}`);
  }

  #checkRevision(revision: number): void {
    this.#assertHappened(revision);
    if (revision < this.#compacted) {
      throw new StoreError(
        'compacted',
        `revision ${revision} was compacted, the oldest is ${this.#compacted}`,
      );
    }
    if (!this.#wasHere(revision))
      throw new StoreError(
        'compacted',
        `revision ${revision} is of a newer state than the one that was restored`,
      );
  }

  /**
   * Whether a revision is one of this history. A file that is a restored backup knows nothing of those that were told since it
   * was copied; so the first one after an opening is the time in milliseconds, which writes do not come up with.
   */
  #wasHere(revision: number): boolean {
    const { at, next } = this.#opened;
    if (revision >= next || revision === at || revision === this.#compacted || revision <= 1) return true;
    return revision < at && this.#statements.has.get(revision) !== undefined;
  }

  #scheduleSweep(): void {
    this.#sweep = this.#clock.after(periods.expirySweepMs, () => {
      this.#sweepExpired();
      if (!this.#failure) this.#scheduleSweep();
    });
  }

  #sweepExpired(): void {
    if (this.#isClosed || this.#failure) return;
    try {
      const { expired } = this.#statements;
      const rows = this.#guarded(() => expired.all(this.#clock.nowMs(), limits.expirySweepMax));
      for (const { key, revision } of rows as unknown as WriteRow[]) {
        // A conflict means that the key was written meanwhile and lives on.
        this.write({ key, value: null, expectedRevision: revision }).catch(() => {});
      }
    } catch {
      // The store has failed, and has said so.
    }
  }
}

/** Comes after all keys that begin with `prefix`. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

/**
 * Reads a page, and whether there is another row behind it: one batch, or several where characters are counted, so that
 * few are read in vain. (`iterate` of node:sqlite costs a fifth more than `all`.)
 */
function pageOf(
  read: (from: string, rows: number) => WriteRow[],
  { prefix, after = prefix, limit = Number.POSITIVE_INFINITY, charactersMax }: RangeOptions,
  toValue: (row: WriteRow) => StoredValue,
): { items: StoredValue[]; hasMore: boolean } {
  const items: StoredValue[] = [];
  let characters = 0;
  let from = after;
  for (;;) {
    const missing = limit - items.length;
    const batch =
      charactersMax === undefined ? missing + 1 : batchRows(items.length, characters, charactersMax);
    // One more than is asked for tells whether there are more.
    const wanted = Math.min(missing + 1, batch);
    const rows = read(from, Number.isFinite(wanted) ? wanted : -1);
    for (const row of rows) {
      const isFull = charactersMax !== undefined && characters > charactersMax;
      if (items.length === limit || isFull) return { items, hasMore: true };
      const value = toValue(row);
      items.push(value);
      characters += value.value.length;
    }
    if (rows.length < wanted) return { items, hasMore: false };
    from = rows.at(-1)!.key;
  }
}

/** Rows that likely hold what is missing of `charactersMax`, judged by those that were read. */
function batchRows(count: number, characters: number, charactersMax: number): number {
  if (count === 0) return limits.firstBatchRows;
  const missing = Math.ceil((charactersMax - characters) / (characters / count));
  return Math.max(2, Math.min(missing + 1, limits.pageRowsMax));
}

function countOf(row: Record<string, unknown> | undefined): number {
  return Number((row?.['count'] ?? 0) as number | bigint);
}
