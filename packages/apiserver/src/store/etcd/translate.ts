import { StoreError } from '../errors.ts';
import type { StoreEvent } from '../store.ts';
import type { StoredValue } from '../stored-value.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import type { KeyValue, WatchResponse } from './etcd-messages.ts';

/** What etcd has, as the store tells it. Throws `unreadable`. */
export function storedValueOf(found: KeyValue, layout: EtcdLayout): StoredValue {
  const key = layout.toOwn(found.key);
  const { createRevision, modRevision, version } = found;
  return { key, value: layout.values.toText(found.value, key), createRevision, modRevision, version };
}

/** The events of one answer of a watch; those of values that nobody here can read are left out. */
export function eventsOf({ events }: WatchResponse, layout: EtcdLayout): StoreEvent[] {
  return events.flatMap(({ type, value, previous }) => {
    if (!value) return [];
    try {
      const current = type === 1 ? null : storedValueOf(value, layout);
      const before = previous ? storedValueOf(previous, layout) : null;
      const key = layout.toOwn(value.key);
      return [{ revision: value.modRevision, key, current, previous: before }];
    } catch (error) {
      if (error instanceof StoreError && error.code === 'unreadable') return [];
      throw error;
    }
  });
}
