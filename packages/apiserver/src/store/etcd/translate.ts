import { ifReadable } from '../sealing.ts';
import type { StoreEvent } from '../store.ts';
import type { StoredValue } from '../stored-value.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import type { KeyValue, WatchResponse } from './etcd-messages.ts';

/** What etcd has, as the store tells it. Throws `unreadable`. */
export function storedValueOf(found: KeyValue, layout: EtcdLayout): StoredValue {
  const key = layout.toOwn(found.key);
  const { createRevision, modRevision, version } = found;
  const { text: value, isStale } = layout.toText(found.value, found.key);
  return { key, value, createRevision, modRevision, version, ...(isStale && { isStale }) };
}

/** The same; null of a value that nobody here can read. */
export function readableValueOf(found: KeyValue, layout: EtcdLayout): StoredValue | null {
  return ifReadable(() => storedValueOf(found, layout)) ?? null;
}

/**
 * The events of one answer of a watch. What nobody here can read is told of neither as what was there before nor, whole
 * events, as what is there now.
 */
export function eventsOf({ events }: WatchResponse, layout: EtcdLayout): StoreEvent[] {
  return events.flatMap(({ type, value, previous }) => {
    if (!value) return [];
    const current = type === 1 ? null : readableValueOf(value, layout);
    if (type !== 1 && !current) return [];
    const before = previous ? readableValueOf(previous, layout) : null;
    return [{ revision: value.modRevision, key: layout.toOwn(value.key), current, previous: before }];
  });
}
