import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { systemClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { TestEtcd } from '../../test/test-etcd.ts';
import { etcdForm } from '../objects/etcd-form.ts';
import { EtcdStore } from '../store/etcd/etcd-store.ts';
import type { Sealing } from '../store/sealing.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import { storeSuite } from '../store/store-suite.ts';
import type { ProviderKind } from './configuration.ts';
import { Encryption } from './encryption.ts';

const logger = createLogger('apiserver', { level: 'error' });

const encryptionBy = (kind: ProviderKind, seeds: readonly number[]) => {
  const keys = seeds.map((seed) => ({ name: `${seed}`, key: Buffer.alloc(32, seed) }));
  return new Encryption([{ resources: [{ group: '', resource: 'secrets' }], providers: [{ kind, keys }] }]);
};

/** Seals whatever stands anywhere, as if it were a secret. */
function sealsAll(encryption: Encryption): Sealing {
  return {
    get generation() {
      return encryption.generation;
    },
    seal: (value, place) => encryption.seal(value, { ...place, key: '/secrets/default/x' }),
    open: (sealed, place) => encryption.open(sealed, { ...place, key: '/secrets/default/x' }),
    isPlainStale: () => false,
  };
}

describe('a SQLite store whose values are encrypted is a store', () => {
  storeSuite({
    setup: async () => new SqliteStore({ path: ':memory:', sealing: sealsAll(encryptionBy('aesgcm', [1])) }),
  });
});

describe('an etcd store whose values are encrypted is a store', () => {
  let etcd: TestEtcd;
  storeSuite({
    async setup() {
      etcd = await TestEtcd.start();
      const sealing = sealsAll(encryptionBy('secretbox', [1]));
      return EtcdStore.open(
        { servers: [etcd.url] },
        { clock: systemClock, logger, values: etcdForm, sealing },
      );
    },
    teardown: () => etcd.close(),
  });
});

it('a SQLite file keeps nothing of what was replaced by what is encrypted, once it is forgotten', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-encryption-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'state.db');
  const everything = () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
  const key = '/secrets/default/a';
  const value = `{"metadata":{},"data":"${'in-plain-text'.repeat(500)}"}`;
  const plain = new SqliteStore({ path });
  await plain.write({ key, value });
  await plain.close();
  assert.ok(everything().includes('in-plain-text'));
  const providers = [
    { kind: 'secretbox' as const, keys: [{ name: 'k', key: Buffer.alloc(32, 1) }] },
    { kind: 'identity' as const, keys: [] },
  ];
  const sealing = new Encryption([{ resources: [{ group: '', resource: 'secrets' }], providers }]);
  const store = new SqliteStore({ path, sealing });
  assert.equal((await store.get(key))?.isStale, true);
  const { revision } = await store.write({ key, value });
  await store.compact(revision);
  assert.deepEqual([(await store.get(key))?.value, (await store.get(key))?.isStale], [value, undefined]);
  await store.close();
  assert.ok(!everything().includes('in-plain-text'));
});

it('what nobody can read is replaced and deleted like any other value', async () => {
  const encryption = encryptionBy('aesgcm', [1]);
  const store = new SqliteStore({ path: ':memory:', sealing: encryption });
  const key = '/secrets/default/a';
  const { revision } = await store.write({ key, value: '{}' });
  encryption.replace([
    {
      resources: [{ group: '', resource: 'secrets' }],
      providers: [{ kind: 'aesgcm', keys: [{ name: '1', key: Buffer.alloc(32, 2) }] }],
    },
  ]);
  await assert.rejects(store.get(key), { code: 'unreadable' });
  await assert.rejects(store.write({ key, value: '{}', expectedRevision: 0 }), { code: 'conflict' });
  const events: unknown[] = [];
  await store.watch({ prefix: '/', afterRevision: revision, onEvents: (all) => events.push(...all) });
  await store.write({ key, value: null, expectedRevision: revision });
  assert.deepEqual(events, [{ revision: revision + 1, key, current: null, previous: null }]);
  assert.equal(await store.get(key), null);
  await store.close();
});
