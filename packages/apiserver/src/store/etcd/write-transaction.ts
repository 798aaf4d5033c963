import { StoreError } from '../errors.ts';
import type { StoreWrite, StoreWriteResult } from '../store.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import type { Compare, Operation, TxnRequest, TxnResponse } from './etcd-messages.ts';
import { readableValueOf } from './translate.ts';

/** A write on its way to etcd, with the lease of what goes by itself. */
export interface LeasedWrite extends StoreWrite {
  lease?: bigint | undefined;
}

/** All of the writes, or none where one of their conditions does not hold: then what is there is read. */
export function transactionOf(writes: readonly LeasedWrite[], layout: EtcdLayout): TxnRequest {
  const compare = writes.flatMap(({ key, expectedRevision }): Compare[] => {
    if (expectedRevision === undefined) return [];
    return [{ key: layout.toEtcd(key), target: 2, modRevision: expectedRevision }];
  });
  return {
    compare,
    success: writes.map((write) => operationOf(write, layout)),
    failure: writes.map(({ key }) => ({ range: { key: layout.toEtcd(key) } })),
  };
}

/** What became of them; the last write is the one that is told of. Throws `conflict`. */
export function outcomeOf(
  writes: readonly LeasedWrite[],
  { succeeded, header, responses }: TxnResponse,
  layout: EtcdLayout,
): StoreWriteResult {
  if (!succeeded) throw conflictOf(writes, responses, layout);
  const { put, remove } = responses.at(-1) ?? {};
  const previous = put?.previous ?? remove?.previous[0];
  return { revision: header?.revision ?? 0, previous: previous ? readableValueOf(previous, layout) : null };
}

function operationOf({ key, value, kind, lease }: LeasedWrite, layout: EtcdLayout): Operation {
  const at = layout.toEtcd(key);
  if (value === null) return { remove: { key: at, previous: true } };
  const put = { key: at, value: layout.toBytes(value, key, kind), previous: true };
  return { put: lease === undefined ? put : { ...put, lease } };
}

function conflictOf(
  writes: readonly LeasedWrite[],
  responses: TxnResponse['responses'],
  layout: EtcdLayout,
): StoreError {
  const found = writes.map((_, at) => responses[at]?.range?.kvs[0]);
  const isStale = ({ expectedRevision }: LeasedWrite, at: number) =>
    expectedRevision !== undefined && expectedRevision !== (found[at]?.modRevision ?? 0);
  // What is told of is the main write, where it is stale itself.
  const at = isStale(writes.at(-1)!, writes.length - 1) ? writes.length - 1 : writes.findIndex(isStale);
  const { key } = writes[at]!;
  const current = found[at] ? readableValueOf(found[at], layout) : null;
  return new StoreError('conflict', `"${key}" is at revision ${found[at]?.modRevision ?? 0}`, {
    key,
    current,
  });
}
