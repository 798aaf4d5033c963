import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { EtcdConnection } from '../src/store/etcd/etcd-connection.ts';
import type { FolderOptions } from './prepare-server.ts';
import { TestEtcd } from './test-etcd.ts';
import { TestServer } from './test-server.ts';

/** A server and what lies in its store, as somebody sees it who has the disk. */
export interface Disk {
  server: TestServer;
  /** What stands for a secret of the namespace default. */
  read(name: string): Promise<Buffer>;
  /** Puts something else there, behind the server's back. */
  put(name: string, value: Buffer): Promise<void>;
  everything(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A server on SQLite, whose file is its own: it is ended while somebody looks, and started anew. */
export async function onSqlite(options: Partial<FolderOptions>): Promise<Disk> {
  const server = await TestServer.start(options);
  const folder = server.options.dataDir;
  const live = 'superseded_at IS NULL AND value IS NOT NULL AND key = ?';
  const look = async <T>(work: (database: DatabaseSync) => T): Promise<T> => {
    await server.apiserver.close();
    const database = new DatabaseSync(join(folder, 'state.db'));
    const found = work(database);
    database.close();
    await server.restart();
    return found;
  };
  return {
    server,
    read: (name) =>
      look((database) => {
        const row = database.prepare(`SELECT value FROM writes WHERE ${live}`).get(keyOf(name));
        const text = String(row?.['value']);
        const start = prefixLength(text);
        return Buffer.concat([Buffer.from(text.slice(0, start)), Buffer.from(text.slice(start), 'base64')]);
      }),
    put: (name, value) =>
      look((database) => {
        const start = prefixLength(value.toString('latin1'));
        const text = `${value.subarray(0, start)}${value.subarray(start).toString('base64')}`;
        database.prepare(`UPDATE writes SET value = ? WHERE ${live}`).run(text, keyOf(name));
      }),
    async everything() {
      return Buffer.concat(
        readdirSync(folder)
          .filter((name) => name.startsWith('state.db'))
          .map((name) => readFileSync(join(folder, name))),
      );
    },
    close: () => server.close(),
  };
}

/** A server on an etcd of its own. */
export async function onEtcd(options: Partial<FolderOptions>): Promise<Disk> {
  const etcd = await TestEtcd.start();
  const connection = new EtcdConnection(
    { servers: [etcd.url] },
    { clock: systemClock, logger: silentLogger },
  );
  const server = await TestServer.start({ ...options, etcdServers: [etcd.url] });
  const place = (name: string) => Buffer.from(`/registry${keyOf(name)}`);
  return {
    server,
    async read(name) {
      const { kvs } = await connection.call('range', { key: place(name) });
      return Buffer.from(kvs[0]!.value);
    },
    async put(name, value) {
      const success = [{ put: { key: place(name), value } }];
      await connection.call('txn', { compare: [], failure: [], success });
    },
    async everything() {
      const { kvs } = await connection.call('range', { key: Buffer.from('/'), rangeEnd: Buffer.from('0') });
      return Buffer.concat(kvs.map(({ value }) => value));
    },
    async close() {
      connection.close();
      await server.close();
      await etcd.close();
    },
  };
}

function keyOf(name: string): string {
  return `/secrets/default/${name}`;
}

/** `k8s:enc:KIND:VERSION:KEY:`; nothing of what is not encrypted. */
function prefixLength(text: string): number {
  return /^(?:k8s:enc:[^:]*:[^:]*:[^:]*:|.*)/s.exec(text)![0].length;
}
