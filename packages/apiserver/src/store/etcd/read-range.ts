import { limits } from '../../limits.ts';
import { withKeys } from '../sealing.ts';
import type { RangeOptions, RangePage } from '../store.ts';
import type { StoredValue } from '../stored-value.ts';
import type { EtcdConnection } from './etcd-connection.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import { endOf } from './etcd-messages.ts';
import { storedValueOf } from './translate.ts';

/** A page of keys, read in batches of bounded size that are all of one revision. Throws as `Store.range`. */
export async function readRange(
  options: RangeOptions,
  { connection, layout }: { connection: EtcdConnection; layout: EtcdLayout },
): Promise<RangePage> {
  const {
    prefix,
    after = prefix,
    limit = Number.POSITIVE_INFINITY,
    charactersMax,
    countsRemaining,
  } = options;
  const rangeEnd = endOf(layout.toEtcd(prefix));
  const items: StoredValue[] = [];
  let { revision } = options;
  let characters = 0;
  for (let from = after; ; ) {
    const wanted = Math.min(limit - items.length, batchRows(items.length, characters, charactersMax));
    const key = Buffer.concat([layout.toEtcd(from), Buffer.of(0)]);
    const request = { key, rangeEnd, limit: wanted, ...(revision === undefined ? {} : { revision }) };
    const { header, kvs, more, count } = await connection.call('range', request, { repeats: true });
    revision ??= header?.revision ?? 0;
    let taken = 0;
    for (const found of kvs) {
      if (charactersMax !== undefined && characters > charactersMax) break;
      const value = await withKeys(() => storedValueOf(found, layout));
      items.push(value);
      characters += value.value.length;
      taken += 1;
    }
    const hasMore = more || taken < kvs.length;
    const isFull = items.length >= limit || (charactersMax !== undefined && characters > charactersMax);
    if (!hasMore || isFull || taken === 0) {
      const remaining = countsRemaining ? count - taken : undefined;
      return { items, revision, hasMore, remaining };
    }
    from = items.at(-1)!.key;
  }
}

/** Rows that likely hold what is missing of `charactersMax`, judged by those that were read. */
function batchRows(count: number, characters: number, charactersMax: number | undefined): number {
  if (charactersMax === undefined) return limits.pageRowsMax;
  if (count === 0) return limits.firstBatchRows;
  const missing = Math.ceil((charactersMax - characters) / Math.max(characters / count, 1));
  return Math.max(2, Math.min(missing + 1, limits.pageRowsMax));
}
