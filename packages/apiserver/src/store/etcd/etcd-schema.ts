/**
 * The few messages of etcd v3 that a store needs, with the numbers and types of etcd's `rpc.proto` and `kv.proto`
 * (3.4 and later).
 */
import type { MessageSchema } from '@wherry/cri/grpc';

const operations = (range: string, put: string, remove: string): MessageSchema => [
  [1, 'range', range, 'single'],
  [2, 'put', put, 'single'],
  [3, 'remove', remove, 'single'],
];

/** Fields by message. A field that is a choice of several in etcd is simply left out here where it is not meant. */
export const etcdMessages: Readonly<Record<string, MessageSchema>> = {
  Header: [[3, 'revision', 'int64', 'single']],
  KeyValue: [
    [1, 'key', 'bytes', 'single'],
    [2, 'createRevision', 'int64', 'single'],
    [3, 'modRevision', 'int64', 'single'],
    [4, 'version', 'int64', 'single'],
    [5, 'value', 'bytes', 'single'],
  ],
  RangeRequest: [
    [1, 'key', 'bytes', 'single'],
    [2, 'rangeEnd', 'bytes', 'single'],
    [3, 'limit', 'int64', 'single'],
    [4, 'revision', 'int64', 'single'],
    [9, 'countOnly', 'bool', 'single'],
  ],
  RangeResponse: [
    [1, 'header', 'Header', 'single'],
    [2, 'kvs', 'KeyValue', 'repeated'],
    [3, 'more', 'bool', 'single'],
    [4, 'count', 'int64', 'single'],
  ],
  PutRequest: [
    [1, 'key', 'bytes', 'single'],
    [2, 'value', 'bytes', 'single'],
    [3, 'lease', 'int64:bigint', 'single'],
    [4, 'previous', 'bool', 'single'],
  ],
  PutResponse: [[2, 'previous', 'KeyValue', 'single']],
  DeleteRequest: [
    [1, 'key', 'bytes', 'single'],
    [3, 'previous', 'bool', 'single'],
  ],
  DeleteResponse: [
    [2, 'deleted', 'int64', 'single'],
    [3, 'previous', 'KeyValue', 'repeated'],
  ],
  Operation: operations('RangeRequest', 'PutRequest', 'DeleteRequest'),
  OperationResult: operations('RangeResponse', 'PutResponse', 'DeleteResponse'),
  Compare: [
    [1, 'result', 'enum', 'single'],
    [2, 'target', 'enum', 'single'],
    [3, 'key', 'bytes', 'single'],
    [4, 'version', 'int64', 'single'],
    [6, 'modRevision', 'int64', 'single'],
  ],
  TxnRequest: [
    [1, 'compare', 'Compare', 'repeated'],
    [2, 'success', 'Operation', 'repeated'],
    [3, 'failure', 'Operation', 'repeated'],
  ],
  TxnResponse: [
    [1, 'header', 'Header', 'single'],
    [2, 'succeeded', 'bool', 'single'],
    [3, 'responses', 'OperationResult', 'repeated'],
  ],
  CompactionRequest: [[1, 'revision', 'int64', 'single']],
  CompactionResponse: [[1, 'header', 'Header', 'single']],
  StatusRequest: [],
  StatusResponse: [[3, 'databaseBytes', 'int64', 'single']],
  LeaseGrantRequest: [[1, 'seconds', 'int64', 'single']],
  LeaseGrantResponse: [[2, 'id', 'int64:bigint', 'single']],
  WatchCreate: [
    [1, 'key', 'bytes', 'single'],
    [2, 'rangeEnd', 'bytes', 'single'],
    [3, 'startRevision', 'int64', 'single'],
    [4, 'notifiesProgress', 'bool', 'single'],
    [6, 'previous', 'bool', 'single'],
  ],
  WatchProgress: [],
  WatchRequest: [
    [1, 'create', 'WatchCreate', 'single'],
    [3, 'progress', 'WatchProgress', 'single'],
  ],
  WatchResponse: [
    [1, 'header', 'Header', 'single'],
    [3, 'created', 'bool', 'single'],
    [4, 'cancelled', 'bool', 'single'],
    [5, 'compactRevision', 'int64', 'single'],
    [6, 'reason', 'string', 'single'],
    [11, 'events', 'Event', 'repeated'],
  ],
  Event: [
    [1, 'type', 'enum', 'single'],
    [2, 'value', 'KeyValue', 'single'],
    [3, 'previous', 'KeyValue', 'single'],
  ],
};

/** Path, request and response of each unary call. */
export const etcdCalls = {
  range: ['/etcdserverpb.KV/Range', 'RangeRequest', 'RangeResponse'],
  txn: ['/etcdserverpb.KV/Txn', 'TxnRequest', 'TxnResponse'],
  compact: ['/etcdserverpb.KV/Compact', 'CompactionRequest', 'CompactionResponse'],
  status: ['/etcdserverpb.Maintenance/Status', 'StatusRequest', 'StatusResponse'],
  grant: ['/etcdserverpb.Lease/LeaseGrant', 'LeaseGrantRequest', 'LeaseGrantResponse'],
} as const;

/** The one call that streams. */
export const watchPath = '/etcdserverpb.Watch/Watch';
