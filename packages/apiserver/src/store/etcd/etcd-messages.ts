/** Any answer: as of which revision it is. */
export interface Header {
  revision: number;
}

/** A key with its value, as etcd has it. */
export interface KeyValue {
  key: Uint8Array;
  value: Uint8Array;
  createRevision: number;
  modRevision: number;
  version: number;
}

/** Which keys to read. */
export interface RangeRequest {
  key: Uint8Array;
  /** Absent: that one key. */
  rangeEnd?: Uint8Array;
  limit?: number;
  revision?: number;
  countOnly?: boolean;
}

/** What was read; `count` is of the whole range. */
export interface RangeResponse {
  header?: Header;
  kvs: KeyValue[];
  more: boolean;
  count: number;
}

/** One step of a transaction: one of the three. */
export interface Operation {
  range?: RangeRequest;
  put?: { key: Uint8Array; value: Uint8Array; lease?: bigint; previous?: boolean };
  remove?: { key: Uint8Array; previous?: boolean };
}

/** What a key must be at: `target` 0 compares its version, 2 its modRevision. */
export interface Compare {
  key: Uint8Array;
  target: 0 | 2;
  version?: number;
  modRevision?: number;
}

/** All of `success` where every comparison holds, else all of `failure`. */
export interface TxnRequest {
  compare: Compare[];
  success: Operation[];
  failure: Operation[];
}

/** What the transaction did, step by step. */
export interface TxnResponse {
  header?: Header;
  succeeded: boolean;
  responses: { range?: RangeResponse; put?: { previous?: KeyValue }; remove?: { previous: KeyValue[] } }[];
}

/** What a watch sends. */
export interface WatchResponse {
  header?: Header;
  created: boolean;
  cancelled: boolean;
  compactRevision: number;
  reason: string;
  /** `type` 1 is a deletion. */
  events: { type: number; value?: KeyValue; previous?: KeyValue }[];
}

/** Requests and responses of the unary calls. */
export interface EtcdCalls {
  range: { request: RangeRequest; response: RangeResponse };
  txn: { request: TxnRequest; response: TxnResponse };
  compact: { request: { revision: number }; response: { header?: Header } };
  /** Of the member that is asked. */
  status: { request: object; response: { databaseBytes: number } };
  grant: { request: { seconds: number }; response: { id: bigint } };
}

/** Comes after all keys that begin with `prefix`. */
export function endOf(prefix: Uint8Array): Uint8Array {
  const end = Uint8Array.from(prefix);
  end[end.length - 1]! += 1;
  return end;
}
