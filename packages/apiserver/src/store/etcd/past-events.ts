import type { Clock } from '@wherry/clock';
import { limits, periods } from '../../limits.ts';
import { StoreError } from '../errors.ts';
import { withKeys } from '../sealing.ts';
import type { HistoryPage, StoreEvent } from '../store.ts';
import type { EtcdConnection } from './etcd-connection.ts';
import { storeErrorOf } from './etcd-errors.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import { endOf, type WatchResponse } from './etcd-messages.ts';
import { eventsOf } from './translate.ts';

/** Which past writes to read. */
export interface PastEventsRequest {
  connection: EtcdConnection;
  layout: EtcdLayout;
  clock: Clock;
  prefix: string;
  afterRevision: number;
  /** Something below the store's prefix was written at this revision: the last that is asked for. */
  untilRevision: number;
}

/** A page of what was written between two revisions, read by a watch of its own. Throws `compacted` and `unavailable`. */
export function pastEvents(request: PastEventsRequest): Promise<HistoryPage> {
  const { connection, layout, clock, prefix, afterRevision, untilRevision } = request;
  const events: StoreEvent[] = [];
  let characters = 0;
  const { promise, resolve, reject } = Promise.withResolvers<HistoryPage>();
  const take = (response: WatchResponse) => {
    if (response.cancelled) {
      reject(new StoreError('compacted', `revision ${afterRevision} was compacted`));
      return;
    }
    const revision = response.events.at(-1)?.value?.modRevision ?? afterRevision;
    for (const event of eventsOf(response, layout)) {
      const isAsked = event.revision > afterRevision && event.revision <= untilRevision;
      if (!isAsked || !event.key.startsWith(prefix)) continue;
      events.push(event);
      characters += (event.current?.value.length ?? 0) + (event.previous?.value.length ?? 0);
    }
    const isFull = characters > limits.pageCharactersMax || events.length >= limits.historyPageRevisions;
    if (revision >= untilRevision) resolve({ events, revision: untilRevision, isCurrent: false });
    else if (isFull) resolve({ events, revision, isCurrent: false });
  };
  let turns = Promise.resolve();
  const onResponse = (response: WatchResponse) => {
    turns = turns.then(() => withKeys(() => take(response))).catch(reject);
  };
  const onEnd = (error: unknown) => reject(storeErrorOf(error, 'reading past writes'));
  const stream = connection.watch({ onResponse, onEnd });
  const root = Buffer.from(layout.root);
  // One earlier: of the oldest revision that etcd keeps it does not know the values before.
  const startRevision = Math.max(afterRevision, 1);
  stream.send({ create: { key: root, rangeEnd: endOf(root), startRevision, previous: true } });
  const late = clock.after(periods.etcdCallMs, () =>
    reject(new StoreError('unavailable', 'etcd has not told past writes in time')),
  );
  return promise.finally(() => {
    late.cancel();
    stream.close();
  });
}
