import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { breakableDisk, fullableDisk } from '../../test/small-disk.ts';
import { StoreError, type StoreErrorCode } from './errors.ts';
import { SqliteStore } from './sqlite-store.ts';

const padding = 'x'.repeat(20_000);

function openStore(folder: string): SqliteStore {
  return new SqliteStore({ path: join(folder, 'state.db') });
}

/** Writes until the store refuses; what was acknowledged, and the refusal. */
async function writeUntilRefused(store: SqliteStore, from = 0) {
  const acknowledged = new Map<string, number>();
  for (let index = from; index < from + 5_000; index++) {
    const key = `/k/${String(index).padStart(5, '0')}`;
    try {
      acknowledged.set(key, (await store.write({ key, value: padding })).revision);
    } catch (error) {
      assert.ok(error instanceof StoreError, String(error));
      return { acknowledged, refusal: error, refusedKey: key };
    }
  }
  throw new Error('the store never refused');
}

const hasCode = (code: StoreErrorCode) => (error: unknown) =>
  error instanceof StoreError && error.code === code;

async function assertHolds(store: SqliteStore, acknowledged: ReadonlyMap<string, number>): Promise<void> {
  for (const [key, revision] of acknowledged)
    assert.equal((await store.get(key))?.modRevision, revision, key);
}

describe('a store on a full disk', () => {
  it('refuses writes, and keeps answering with all that was acknowledged', async (test) => {
    const disk = fullableDisk(test);
    const store = openStore(disk.folder);
    const { acknowledged, refusal, refusedKey } = await writeUntilRefused(store);
    assert.equal(refusal.code, 'full');
    assert.match(refusal.message, /full/);
    await assertHolds(store, acknowledged);
    assert.equal(await store.get(refusedKey), null);
    assert.equal(await store.revision(), Math.max(...acknowledged.values()));
    const { items } = await store.range({ prefix: '/k/' });
    assert.equal(items.length, acknowledged.size);
    await store.close();
  });

  it('goes on where it stopped when there is room again, without a gap in its revisions', async (test) => {
    const disk = fullableDisk(test, 16);
    const store = openStore(disk.folder);
    const before = await store.write({ key: '/a', value: '1' });
    disk.fill();
    const { acknowledged } = await writeUntilRefused(store);
    disk.empty();
    const after = await store.write({ key: '/a', value: '2' });
    assert.equal(after.revision, before.revision + acknowledged.size + 1);
    await store.close();
    const again = openStore(disk.folder);
    await assertHolds(again, acknowledged);
    assert.equal((await again.get('/a'))?.value, '2');
    assert.equal(await again.revision(), after.revision);
    await again.close();
  });
});

describe('a store on a disk that breaks', () => {
  it('says that it has failed, refuses everything, and has lost nothing that it acknowledged', async (test) => {
    const disk = breakableDisk(test);
    const store = openStore(disk.folder);
    const ended = Promise.withResolvers<Error>();
    await store.watch({ prefix: '/', afterRevision: 1, onEvents() {}, onEnd: ended.resolve });
    const { revision } = await store.write({ key: '/first', value: 'x' });
    disk.fill();
    const { acknowledged, refusal } = await writeUntilRefused(store);
    assert.equal(refusal.code, 'failed');
    assert.equal((await store.failed).code, 'failed');
    assert.match((await store.failed).message, /state\.db.*can't go on/);
    assert.ok(hasCode('failed')(await ended.promise));
    await assert.rejects(store.get('/first'), hasCode('failed'));
    await assert.rejects(store.range({ prefix: '/' }), hasCode('failed'));
    await assert.rejects(store.write({ key: '/a', value: 'x' }), hasCode('failed'));
    await store.close();
    disk.repair();
    const again = openStore(disk.folder);
    await assertHolds(again, new Map([['/first', revision], ...acknowledged]));
    await again.write({ key: '/a', value: 'x' });
    await again.close();
  });

  it('fails when its file system turns read-only', async (test) => {
    const disk = breakableDisk(test);
    const store = openStore(disk.folder);
    await store.write({ key: '/first', value: 'x' });
    disk.turnReadOnly();
    const { refusal } = await writeUntilRefused(store);
    assert.equal(refusal.code, 'failed');
    assert.equal((await store.failed).code, 'failed');
    await store.close();
  });

  it('is not opened on a file system that is read-only', async (test) => {
    const disk = breakableDisk(test);
    await openStore(disk.folder).close();
    disk.turnReadOnly();
    assert.throws(() => new SqliteStore({ path: join(disk.folder, 'state.db') }), hasCode('failed'));
  });
});
