import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { limits, periods } from '../../limits.ts';
import { StoreError } from '../errors.ts';
import { type Sealing, withKeys } from '../sealing.ts';
import type {
  HistoryPage,
  RangeOptions,
  RangePage,
  Store,
  StoreWatch,
  StoreWatchOptions,
  StoreWrite,
  StoreWriteResult,
} from '../store.ts';
import type { StoredValue } from '../stored-value.ts';
import { WatchHub } from '../watch-hub.ts';
import { ChangeFeed } from './change-feed.ts';
import { EtcdCompactor } from './etcd-compactor.ts';
import { EtcdConnection } from './etcd-connection.ts';
import { isLeaseGone } from './etcd-errors.ts';
import { EtcdLayout, type ValueForm } from './etcd-layout.ts';
import { EtcdPulse } from './etcd-pulse.ts';
import type { EtcdOptions } from './options.ts';
import { pastEvents } from './past-events.ts';
import { readRange } from './read-range.ts';
import { SharedLeases } from './shared-leases.ts';
import { storedValueOf } from './translate.ts';
import { type LeasedWrite, outcomeOf, transactionOf } from './write-transaction.ts';

/** What a store works with. */
interface EtcdStoreParts {
  connection: EtcdConnection;
  layout: EtcdLayout;
  clock: Clock;
  logger: Logger;
  compactionIntervalMs: number;
  leaseReuseMs: number | undefined;
  patienceMs: number;
  /** Of etcd when the store was opened. */
  revision: number;
}

/**
 * A `Store` in an etcd that other servers may write to as well, ours and upstream's. A revision is etcd's: what is written
 * alongside has the same one. A write is acknowledged once this server's own watches have been told of it, and so is a
 * conflict: who looks into what follows the store sees what stood in the way.
 */
export class EtcdStore implements Store {
  readonly failed: Promise<StoreError>;
  readonly #parts: EtcdStoreParts;
  readonly #hub: WatchHub;
  readonly #feed: ChangeFeed;
  readonly #leases: SharedLeases;
  readonly #compactor: EtcdCompactor;
  readonly #pulse: EtcdPulse;
  #failure: StoreError | undefined;
  #isClosed = false;

  private constructor(parts: EtcdStoreParts) {
    const { promise, resolve } = Promise.withResolvers<StoreError>();
    const { connection, layout, clock, logger, revision } = parts;
    this.failed = promise;
    this.#parts = parts;
    this.#hub = new WatchHub(revision);
    const onGap = (error: StoreError) => {
      this.#failure = error;
      this.#hub.close(error);
      resolve(error);
    };
    this.#feed = new ChangeFeed(revision, {
      ...{ connection, layout, clock, onGap },
      onEvents: (events) => this.#hub.publish(events),
    });
    this.#leases = new SharedLeases({ connection, clock, reuseMs: parts.leaseReuseMs });
    this.#compactor = new EtcdCompactor({
      connection,
      clock,
      logger,
      intervalMs: parts.compactionIntervalMs,
    });
    this.#pulse = new EtcdPulse({ clock, ask: () => revisionOf(connection, layout, parts.patienceMs) });
  }

  get shared(): { answersWithin(timeoutMs: number): boolean } {
    return this.#pulse;
  }

  /** Opens a store. Rejects with `unavailable` when no member answers, `failed` when an address or a file is bad. */
  static async open(
    options: EtcdOptions,
    {
      clock,
      logger,
      values,
      sealing,
    }: { clock: Clock; logger: Logger; values: ValueForm; sealing?: Sealing | undefined },
  ): Promise<EtcdStore> {
    const connection = new EtcdConnection(options, { clock, logger });
    const layout = new EtcdLayout(values, options.prefix, sealing);
    const { compactionIntervalMs = periods.compactionMs, leaseReuseMs } = options;
    const patienceMs = options.patienceMs ?? periods.etcdHealthMs;
    try {
      const revision = await revisionOf(connection, layout, periods.etcdStartMs);
      const intervals = { compactionIntervalMs, leaseReuseMs, patienceMs };
      return new EtcdStore({ connection, layout, clock, logger, ...intervals, revision });
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Of the latest write by anybody; everything up to it has been told to this server's watches. */
  async revision(): Promise<number> {
    this.#assertOpen();
    const revision = await revisionOf(this.#parts.connection, this.#parts.layout);
    await this.#follow(revision);
    return Math.max(revision, this.#feed.revision);
  }

  async get(key: string): Promise<StoredValue | null> {
    this.#assertOpen();
    const { connection, layout } = this.#parts;
    const { kvs } = await connection.call('range', { key: layout.toEtcd(key) }, { repeats: true });
    const [found] = kvs;
    return found ? withKeys(() => storedValueOf(found, layout)) : null;
  }

  async range(options: RangeOptions): Promise<RangePage> {
    this.#assertOpen();
    return readRange(options, this.#parts);
  }

  async write(write: StoreWrite, alongside: readonly StoreWrite[] = []): Promise<StoreWriteResult> {
    this.#assertOpen();
    const { connection, layout } = this.#parts;
    const writes = [...alongside, write];
    for (let isAgain = false; ; isAgain = true) {
      const leased = await Promise.all(writes.map((each) => this.#leased(each)));
      try {
        const response = await connection.call('txn', transactionOf(leased, layout));
        await this.#feed.reached(response.header?.revision ?? 0);
        return await withKeys(() => outcomeOf(leased, response, layout));
      } catch (error) {
        if (isAgain || !(error instanceof StoreError) || !isLeaseGone(error.cause)) throw error;
        for (const { lifetimeMs } of writes) if (lifetimeMs !== undefined) this.#leases.forget(lifetimeMs);
      }
    }
  }

  async history(options: { prefix: string; afterRevision: number }): Promise<HistoryPage> {
    const { prefix, afterRevision } = options;
    await this.#checkHappened(afterRevision);
    const { connection, layout, clock, revision: opened } = this.#parts;
    const recent = this.#hub.recent(afterRevision);
    if (recent) {
      const events = recent.filter(({ key }) => key.startsWith(prefix));
      return { events, revision: this.#feed.revision, isCurrent: true };
    }
    // As upstream's: what was written before this server began is not told again.
    if (afterRevision < opened) {
      const text = `revision ${afterRevision} is older than what this server knows, which begins after ${opened}`;
      throw new StoreError('compacted', text);
    }
    const untilRevision = this.#hub.firstRevision;
    return pastEvents({ connection, layout, clock, prefix, afterRevision, untilRevision });
  }

  async watch(options: StoreWatchOptions): Promise<StoreWatch> {
    const events: HistoryPage['events'][number][] = [];
    for (let at = options.afterRevision ?? (await this.revision()); ; ) {
      const page = await this.history({ prefix: options.prefix, afterRevision: at });
      events.push(...page.events);
      if (events.length > limits.catchUpEventsMax)
        throw new StoreError(
          'compacted',
          `revision ${options.afterRevision ?? 'of now'} is too far in the past to catch up`,
        );
      at = page.revision;
      if (page.isCurrent && at === this.#feed.revision) return this.#hub.add(options, events, at);
    }
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen();
    try {
      await this.#parts.connection.call('compact', { revision }, { repeats: true });
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted') throw error;
    }
    this.#hub.forget(revision);
  }

  async sizeBytes(): Promise<number> {
    this.#assertOpen();
    const { databaseBytes } = await this.#parts.connection.call('status', {}, { repeats: true });
    return databaseBytes;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pulse.close();
    this.#compactor.close();
    this.#feed.close();
    this.#hub.close(new StoreError('closed', 'the store was closed'));
    this.#parts.connection.close();
  }

  async #leased(write: StoreWrite): Promise<LeasedWrite> {
    const { lifetimeMs, value } = write;
    if (lifetimeMs === undefined || value === null) return write;
    return { ...write, lease: await this.#leases.leaseFor(lifetimeMs) };
  }

  async #follow(revision: number): Promise<void> {
    if (await this.#feed.reached(revision)) return;
    this.#assertOpen();
    throw new StoreError('unavailable', `etcd has not told in time what it wrote up to revision ${revision}`);
  }

  async #checkHappened(revision: number): Promise<void> {
    this.#assertOpen();
    if (revision <= this.#feed.revision) return;
    const latest = await this.revision();
    if (revision > latest)
      throw new StoreError('future', `revision ${revision} has not happened, the latest is ${latest}`);
  }

  #assertOpen(): void {
    if (this.#failure) throw this.#failure;
    if (this.#isClosed) throw new StoreError('closed', 'the store was closed');
  }
}

/** Of etcd, as a majority of its members has it. */
async function revisionOf(
  connection: EtcdConnection,
  layout: EtcdLayout,
  timeoutMs: number = periods.etcdCallMs,
): Promise<number> {
  const request = { key: Buffer.from(layout.root), countOnly: true };
  const { header } = await connection.call('range', request, { repeats: true, timeoutMs });
  return header?.revision ?? 0;
}
