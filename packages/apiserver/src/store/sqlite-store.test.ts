import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { limits, periods } from '../limits.ts';
import { StoreError } from './errors.ts';
import { SqliteStore } from './sqlite-store.ts';
import type { StoreEvent } from './store.ts';
import { storeSuite } from './store-suite.ts';

storeSuite({ setup: async () => new SqliteStore({ path: ':memory:' }) });

function databasePath(test: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-store-'));
  test.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'state.db');
}

describe('the SQLite store', () => {
  it('keeps its files to itself, also those that an earlier version left readable', async (test) => {
    const path = databasePath(test);
    const files = [path, `${path}-wal`];
    const modes = () => files.map((file) => statSync(file).mode & 0o777);
    const before = new SqliteStore({ path });
    await before.write({ key: '/a', value: 'x' });
    assert.deepEqual(modes(), [0o600, 0o600]);
    await before.close();
    chmodSync(path, 0o644);
    const after = new SqliteStore({ path });
    test.after(() => after.close());
    await after.write({ key: '/b', value: 'y' });
    assert.deepEqual(modes(), [0o600, 0o600]);
  });

  it('that is a restored copy of its file takes no revision of what was lost for its own', async (test) => {
    const path = databasePath(test);
    const during = async <T>(use: (store: SqliteStore) => Promise<T>): Promise<T> => {
      const store = new SqliteStore({ path });
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    };
    const write = (store: SqliteStore, value: string) => store.write({ key: '/a', value });
    const { revision: copied } = await during((store) => write(store, 'copied'));
    copyFileSync(path, `${path}-copy`);
    const lost = await during(async (store) => {
      await write(store, 'lost');
      return (await write(store, 'lost, too')).revision;
    });
    const past = { prefix: '/', afterRevision: lost };
    copyFileSync(`${path}-copy`, path);
    await during(async (store) => {
      await assert.rejects(store.history(past), { code: 'future' });
      for (const value of ['x', 'y', 'z']) await write(store, value);
      await assert.rejects(store.history(past), { code: 'compacted' });
    });
    await during(async (store) => {
      await assert.rejects(store.history(past), { code: 'compacted' });
      const { events, isCurrent } = await store.history({ prefix: '/', afterRevision: copied });
      assert.deepEqual(
        events.map(({ current }) => current?.value),
        ['x', 'y', 'z'],
      );
      assert.ok(isCurrent);
    });
  });

  it('tells its past page by page, over any number of openings', async (test) => {
    const path = databasePath(test);
    const written: string[] = [];
    for (let opening = 0; opening < 3; opening++) {
      const store = new SqliteStore({ path });
      for (let at = 0; at < limits.historyPageRevisions * 0.7; at++) {
        written.push(`${opening} ${at}`);
        await store.write({ key: '/a', value: `${opening} ${at}` });
      }
      await store.close();
    }
    const store = new SqliteStore({ path });
    test.after(() => store.close());
    const told: (string | undefined)[] = [];
    for (let afterRevision = 1; ; ) {
      const page = await store.history({ prefix: '/', afterRevision });
      told.push(...page.events.map(({ current }) => current?.value));
      if (page.isCurrent) break;
      afterRevision = page.revision;
    }
    assert.deepEqual(told, written);
  });

  it('has what stood there before when a write fails, and with it those that share its transaction', async (test) => {
    const store = new SqliteStore({ path: databasePath(test) });
    test.after(() => store.close());
    const { revision } = await store.write({ key: '/a', value: 'x' });
    const results = await Promise.allSettled([
      store.write({ key: '/a', value: 'y' }),
      store.write({ key: '/new', value: 'z' }),
      store.write({ key: '/b', value: new Uint8Array(1) as never }),
    ]);
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(['rejected']));
    assert.equal((await store.get('/a'))?.value, 'x');
    assert.equal(await store.get('/new'), null);
    await store.write({ key: '/a', value: 'v', expectedRevision: revision });
    assert.equal((await store.get('/a'))?.value, 'v');
  });

  it('knows of many keys what each has, whichever it read last', async (test) => {
    const store = new SqliteStore({ path: databasePath(test) });
    test.after(() => store.close());
    const count = limits.recentValuesMax + 50;
    const large = 'x'.repeat(limits.recentCharactersMax / 4);
    const keys = Array.from({ length: count }, (_, at) => `/${at}`);
    for (const round of ['a', 'b']) {
      const textOf = (key: string) => `${round}${key}${key.endsWith('77') ? large : ''}`;
      await Promise.all(keys.map((key) => store.write({ key, value: textOf(key) })));
      for (const key of keys) assert.equal((await store.get(key))?.value, textOf(key));
      await store.write({ key: '/7', value: null });
      assert.equal(await store.get('/7'), null);
    }
  });

  it('finds everything again after it was opened anew', async (test) => {
    const path = databasePath(test);
    const before = new SqliteStore({ path });
    await before.write({ key: '/a', value: 'x' });
    await before.write({ key: '/b', value: 'y' });
    await before.write({ key: '/b', value: null });
    await before.close();
    const after = new SqliteStore({ path });
    test.after(() => after.close());
    assert.equal(await after.revision(), 4);
    assert.equal((await after.get('/a'))?.value, 'x');
    const revisions: number[] = [];
    await after.watch({
      prefix: '/',
      afterRevision: 2,
      onEvents: (events) => revisions.push(...events.map(({ revision }) => revision)),
    });
    assert.deepEqual(revisions, [3, 4], 'the history outlives the process as well');
  });

  it('never counts back when it is opened after the compaction of a last deletion', async (test) => {
    const path = databasePath(test);
    const before = new SqliteStore({ path });
    await before.write({ key: '/a', value: 'x' });
    await before.write({ key: '/a', value: null });
    await before.compact(3);
    await before.close();
    const after = new SqliteStore({ path });
    test.after(() => after.close());
    assert.equal(await after.revision(), 3);
  });

  it('has every acknowledged write after the death of its process', async (test) => {
    const path = databasePath(test);
    const writer = `
      import { SqliteStore } from ${JSON.stringify(import.meta.resolve('./sqlite-store.ts'))};
      const store = new SqliteStore({ path: ${JSON.stringify(path)} });
      for (let index = 0; ; index += 1) {
        await Promise.all(['a', 'b', 'c'].map((key) => store.write({ key: '/' + key + index, value: 'x' })));
        process.stdout.write(index + '\\n');
      }`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', writer]);
    let acknowledged = '';
    child.stdout.on('data', (chunk: Buffer) => {
      acknowledged += chunk.toString();
      if (acknowledged.split('\n').length > 50) child.kill('SIGKILL');
    });
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGKILL');
    const store = new SqliteStore({ path });
    test.after(() => store.close());
    const { items } = await store.range({ prefix: '/' });
    const keys = new Set(items.map(({ key }) => key));
    const rounds = acknowledged.split('\n').slice(0, -1);
    for (const round of rounds)
      for (const key of ['a', 'b', 'c']) assert.ok(keys.has(`/${key}${round}`), round);
  });

  it('belongs to one process: a second one is refused with the path in the message', async (test) => {
    const path = databasePath(test);
    const store = new SqliteStore({ path });
    test.after(() => store.close());
    await store.write({ key: '/a', value: 'x' });
    assert.throws(
      () => new SqliteStore({ path }),
      (error: unknown) =>
        error instanceof StoreError && error.code === 'failed' && error.message.includes(path),
    );
  });

  it('commits the writes of one turn together, and reports them as one batch', async (test) => {
    const store = new SqliteStore({ path: databasePath(test) });
    test.after(() => store.close());
    const batches: number[] = [];
    await store.watch({ prefix: '/', afterRevision: 1, onEvents: (events) => batches.push(events.length) });
    await Promise.all(['/a', '/b', '/c'].map((key) => store.write({ key, value: 'x' })));
    assert.deepEqual(batches, [3]);
  });

  it('deletes a key when its lifetime is over, but not one that was renewed', async (test) => {
    const clock = new FakeClock();
    const store = new SqliteStore({ path: ':memory:', clock });
    test.after(() => store.close());
    await store.write({ key: '/a', value: 'x', lifetimeMs: periods.expirySweepMs / 2 });
    await store.write({ key: '/b', value: 'x', lifetimeMs: periods.expirySweepMs / 2 });
    await store.write({ key: '/b', value: 'y', lifetimeMs: periods.expirySweepMs * 10 });
    const deleted = Promise.withResolvers<string>();
    const onEvents = (events: readonly StoreEvent[]) => deleted.resolve(events[0]?.key ?? '');
    await store.watch({ prefix: '/', afterRevision: await store.revision(), onEvents });
    clock.advance(periods.expirySweepMs);
    assert.equal(await deleted.promise, '/a');
    assert.equal(await store.get('/a'), null);
    assert.equal((await store.get('/b'))?.value, 'y');
  });

  it('shows nothing that is not on the disk yet', async (test) => {
    const store = new SqliteStore({ path: databasePath(test) });
    test.after(() => store.close());
    await store.write({ key: '/p/a', value: '1' });
    const writing = [
      store.write({ key: '/p/a', value: '2' }),
      store.write({ key: '/p/b', value: '1' }),
      store.write({ key: '/p/a', value: '3' }),
    ];
    assert.equal((await store.get('/p/a'))?.value, '1');
    assert.equal(await store.get('/p/b'), null);
    const { items, revision } = await store.range({ prefix: '/p/' });
    assert.deepEqual([items.length, items[0]?.value, revision], [1, '1', 2]);
    await Promise.all(writing);
    assert.equal((await store.get('/p/a'))?.value, '3');
    assert.equal(await store.revision(), 5);
  });

  it('undoes a transaction of which one write failed, and goes on', async (test) => {
    const store = new SqliteStore({ path: ':memory:' });
    test.after(() => store.close());
    const good = store.write({ key: '/a', value: 'x' });
    // A symbol has no form in SQLite: the insert throws.
    const bad = store.write({ key: '/b', value: Symbol('x') as unknown as string });
    const outcomes = await Promise.allSettled([good, bad]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await store.get('/a'), null);
    assert.equal((await store.write({ key: '/a', value: 'y' })).revision, 2);
  });

  it('lets others write while it compacts a long past', async (test) => {
    const store = new SqliteStore({ path: databasePath(test) });
    test.after(() => store.close());
    const count = limits.compactionRows * 8;
    for (let index = 0; index < count; index++) void store.write({ key: '/a', value: `${index}` });
    const revision = await store.revision();
    await store.write({ key: '/a', value: 'last' });
    const ended: string[] = [];
    const compacting = store.compact(revision + count).then(() => ended.push('compaction'));
    await store.write({ key: '/b', value: 'x' }).then(() => ended.push('write'));
    await compacting;
    assert.deepEqual(ended, ['write', 'compaction']);
    assert.equal((await store.range({ prefix: '/' })).items.length, 2);
    await assert.rejects(store.history({ prefix: '/', afterRevision: revision }), { code: 'compacted' });
  });

  it('asks for a new list when too many events were missed', async (test) => {
    const store = new SqliteStore({ path: ':memory:' });
    test.after(() => store.close());
    const writes = Array.from({ length: limits.catchUpEventsMax + 1 }, (_, index) => index);
    await Promise.all(writes.map((index) => store.write({ key: '/a', value: `${index}` })));
    const late = store.watch({ prefix: '/', afterRevision: 1, onEvents() {} });
    await assert.rejects(late, (error: unknown) => error instanceof StoreError && error.code === 'compacted');
  });
});
