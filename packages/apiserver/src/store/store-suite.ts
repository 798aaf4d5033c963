import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { StoreErrorCode } from './errors.ts';
import type { Store, StoreEvent } from './store.ts';

/** What the suite needs of an implementation. */
export interface StoreSuiteOptions {
  /** An empty store. */
  setup(): Promise<Store>;
  /** Removes what `setup` left; the store is closed already. */
  teardown?(): Promise<void>;
}

const hasCode = (code: StoreErrorCode) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === code;

/** Collects what a watch reports until `count` events are there. */
async function watching(store: Store, options: { prefix: string; afterRevision: number }) {
  const events: StoreEvent[] = [];
  let waiting: { count: number; resolve(): void } | undefined;
  const watch = await store.watch({
    ...options,
    onEvents(batch) {
      events.push(...batch);
      if (waiting && events.length >= waiting.count) waiting.resolve();
    },
  });
  const received = async (count: number) => {
    if (events.length < count) await new Promise<void>((resolve) => (waiting = { count, resolve }));
    return events;
  };
  return { events, received, watch };
}

const told = (events: readonly StoreEvent[]) =>
  events.map(({ key, current, previous }) => `${key} ${previous?.value ?? '-'} ${current?.value ?? '-'}`);

/** The tests every {@link Store} must pass. Call it inside a test file. */
export function storeSuite({ setup, teardown }: StoreSuiteOptions): void {
  describe('a store', () => {
    let store: Store;
    beforeEach(async () => {
      store = await setup();
    });
    afterEach(async () => {
      await store.close();
      await teardown?.();
    });

    it('counts each write with one revision, starting after 1', async () => {
      assert.equal(await store.revision(), 1);
      const first = await store.write({ key: '/a', value: 'x' });
      const second = await store.write({ key: '/b', value: 'y' });
      assert.deepEqual([first.revision, second.revision], [2, 3]);
      assert.equal(await store.revision(), 3);
    });

    it('tells a key with its revisions and version', async () => {
      await store.write({ key: '/a', value: 'x' });
      const { previous } = await store.write({ key: '/a', value: 'y' });
      assert.equal(previous?.value, 'x');
      const expected = { key: '/a', value: 'y', createRevision: 2, modRevision: 3, version: 2 };
      assert.deepEqual(await store.get('/a'), expected);
      assert.equal(await store.get('/none'), null);
    });

    it('starts anew after a deletion', async () => {
      await store.write({ key: '/a', value: 'x' });
      await store.write({ key: '/a', value: null });
      assert.equal(await store.get('/a'), null);
      await store.write({ key: '/a', value: 'z' });
      const expected = { key: '/a', value: 'z', createRevision: 4, modRevision: 4, version: 1 };
      assert.deepEqual(await store.get('/a'), expected);
    });

    it('does not count the deletion of what is not there', async () => {
      const { revision, previous } = await store.write({ key: '/none', value: null });
      assert.deepEqual([revision, previous], [1, null]);
    });

    it('makes a key only once when it must not exist', async () => {
      await store.write({ key: '/a', value: 'x', expectedRevision: 0 });
      await assert.rejects(store.write({ key: '/a', value: 'y', expectedRevision: 0 }), hasCode('conflict'));
      assert.equal((await store.get('/a'))?.value, 'x');
    });

    it('refuses to replace or delete a value that is not the expected one, and says what is there', async () => {
      await store.write({ key: '/a', value: 'x' });
      await store.write({ key: '/a', value: 'y' });
      for (const value of ['z', null]) {
        await assert.rejects(store.write({ key: '/a', value, expectedRevision: 2 }), (error: unknown) => {
          assert.ok(hasCode('conflict')(error));
          assert.equal((error as { current?: { value: string } }).current?.value, 'y');
          return true;
        });
      }
      await store.write({ key: '/a', value: null, expectedRevision: 3 });
      assert.equal(await store.get('/a'), null);
    });

    it('writes what is to be written alongside just before, or nothing at all when one condition does not hold', async () => {
      await store.write({ key: '/count', value: '1' });
      const { revision } = await store.write({ key: '/a', value: 'x', expectedRevision: 0 }, [
        { key: '/count', value: '2', expectedRevision: 2 },
      ]);
      const countRevision = (await store.get('/count'))?.modRevision ?? 0;
      assert.ok(countRevision > 2 && countRevision <= revision, `${countRevision} before ${revision}`);
      for (const [main, other, key] of [
        [0, countRevision, '/a'],
        [revision, 2, '/count'],
      ] as const) {
        const writes = store.write({ key: '/a', value: 'y', expectedRevision: main }, [
          { key: '/count', value: '3', expectedRevision: other },
        ]);
        await assert.rejects(writes, (error: unknown) => {
          assert.ok(hasCode('conflict')(error));
          assert.equal((error as { key?: string }).key, key);
          return true;
        });
      }
      assert.deepEqual([(await store.get('/a'))?.value, (await store.get('/count'))?.value], ['x', '2']);
    });

    it('lets one of several racing writers win', async () => {
      await store.write({ key: '/a', value: '0' });
      const race = ['1', '2', '3', '4'].map((value) =>
        store.write({ key: '/a', value, expectedRevision: 2 }),
      );
      const outcomes = await Promise.allSettled(race);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await store.revision(), 3);
    });

    it('lists a prefix in byte order, in pages', async () => {
      for (const key of ['/p/b', '/p/a', '/q/a', '/p/é', '/p/c', '/p'])
        await store.write({ key, value: key });
      const first = await store.range({ prefix: '/p/', limit: 2, countsRemaining: true });
      assert.deepEqual(
        first.items.map(({ key }) => key),
        ['/p/a', '/p/b'],
      );
      assert.deepEqual([first.hasMore, first.remaining], [true, 2]);
      const second = await store.range({ prefix: '/p/', limit: 2, after: '/p/b', revision: first.revision });
      assert.deepEqual(
        second.items.map(({ key }) => key),
        ['/p/c', '/p/é'],
      );
      assert.deepEqual([second.hasMore, second.remaining], [false, undefined]);
      const heavy = await store.range({ prefix: '/p/', charactersMax: 5 });
      assert.deepEqual([heavy.items.length, heavy.hasMore], [2, true]);
    });

    it('lists a past revision as it was', async () => {
      await store.write({ key: '/p/a', value: '1' });
      await store.write({ key: '/p/b', value: '1' });
      await store.write({ key: '/p/a', value: '2' });
      await store.write({ key: '/p/b', value: null });
      await store.write({ key: '/p/c', value: '1' });
      const at = async (revision: number) =>
        (await store.range({ prefix: '/p/', revision })).items.map(({ key, value }) => `${key}=${value}`);
      assert.deepEqual(await at(2), ['/p/a=1']);
      assert.deepEqual(await at(3), ['/p/a=1', '/p/b=1']);
      assert.deepEqual(await at(4), ['/p/a=2', '/p/b=1']);
      assert.deepEqual(await at(5), ['/p/a=2']);
      assert.deepEqual(await at(6), ['/p/a=2', '/p/c=1']);
      const past = await store.range({ prefix: '/p/', revision: 3, limit: 1, countsRemaining: true });
      assert.equal(past.remaining, 1);
      await assert.rejects(store.range({ prefix: '/p/', revision: 7 }), hasCode('future'));
    });

    it('reports each later write of a prefix once, in order, with the value before', async () => {
      await store.write({ key: '/p/a', value: '1' });
      const { received, events } = await watching(store, { prefix: '/p/', afterRevision: 2 });
      await store.write({ key: '/p/a', value: '2' });
      await store.write({ key: '/q/a', value: '1' });
      await store.write({ key: '/p/b', value: '1' });
      await store.write({ key: '/p/a', value: null });
      await received(3);
      assert.deepEqual(told(events), ['/p/a 1 2', '/p/b - 1', '/p/a 2 -']);
      assert.deepEqual(
        events.map(({ revision }) => revision),
        [3, 5, 6],
      );
    });

    it('catches up from a past revision and goes on without a gap', async () => {
      for (let index = 0; index < 20; index += 1) await store.write({ key: '/p/a', value: `${index}` });
      const { received, events } = await watching(store, { prefix: '/p/', afterRevision: 11 });
      await Promise.all([20, 21, 22].map((value) => store.write({ key: '/p/a', value: `${value}` })));
      await received(13);
      assert.deepEqual(
        events.map(({ revision }) => revision),
        Array.from({ length: 13 }, (_, index) => index + 12),
      );
    });

    it('tells the history of a prefix page by page, with the values before', async () => {
      for (let index = 0; index < 2_500; index += 1) {
        await store.write({ key: `/p/${index % 10}`, value: `${index}` });
        if (index % 2 === 0) await store.write({ key: '/q/x', value: `${index}` });
      }
      await store.write({ key: '/p/0', value: null });
      const events: StoreEvent[] = [];
      let pages = 0;
      for (let at = 1; ; pages += 1) {
        const page = await store.history({ prefix: '/p/', afterRevision: at });
        events.push(...page.events);
        at = page.revision;
        if (page.isCurrent) break;
      }
      assert.equal(events.length, 2_501);
      assert.deepEqual(told(events.slice(0, 1)), ['/p/0 - 0']);
      assert.deepEqual(told(events.slice(-2)), ['/p/9 2489 2499', '/p/0 2490 -']);
      const revisions = events.map(({ revision }) => revision);
      assert.deepEqual(
        revisions,
        [...new Set(revisions)].sort((left, right) => left - right),
      );
      assert.ok(pages > 0, 'one page would have been too large');
      await assert.rejects(store.history({ prefix: '/', afterRevision: 99_999 }), hasCode('future'));
    });

    it('says nothing more once a watch is closed', async () => {
      const { events, watch } = await watching(store, { prefix: '/', afterRevision: 1 });
      watch.close();
      await store.write({ key: '/a', value: 'x' });
      assert.deepEqual(events, []);
    });

    it('refuses a watch from the future', async () => {
      await assert.rejects(watching(store, { prefix: '/', afterRevision: 2 }), hasCode('future'));
    });

    it('forgets what was compacted, and only that', async () => {
      await store.write({ key: '/p/a', value: '1' });
      await store.write({ key: '/p/a', value: '2' });
      await store.write({ key: '/p/b', value: '1' });
      await store.write({ key: '/p/b', value: null });
      await store.write({ key: '/p/a', value: '3' });
      await store.compact(4);
      await assert.rejects(store.range({ prefix: '/p/', revision: 3 }), hasCode('compacted'));
      await assert.rejects(watching(store, { prefix: '/p/', afterRevision: 3 }), hasCode('compacted'));
      const { items } = await store.range({ prefix: '/p/', revision: 4 });
      assert.deepEqual(
        items.map(({ key, value }) => `${key}=${value}`),
        ['/p/a=2', '/p/b=1'],
      );
      const { events, received } = await watching(store, { prefix: '/p/', afterRevision: 4 });
      await received(2);
      assert.deepEqual(told(events), ['/p/b 1 -', '/p/a 2 3']);
      await assert.rejects(store.compact(99), hasCode('future'));
    });

    it('never counts back after a compaction of everything', async () => {
      await store.write({ key: '/a', value: 'x' });
      await store.write({ key: '/a', value: null });
      await store.compact(3);
      assert.equal(await store.revision(), 3);
      assert.equal((await store.write({ key: '/a', value: 'y' })).revision, 4);
    });

    it('ends its watches and refuses everything when it is closed', async () => {
      const ended = Promise.withResolvers<Error>();
      await store.watch({ prefix: '/', afterRevision: 1, onEvents() {}, onEnd: ended.resolve });
      await store.close();
      assert.ok(hasCode('closed')(await ended.promise));
      await assert.rejects(store.get('/a'), hasCode('closed'));
      await assert.rejects(store.write({ key: '/a', value: 'x' }), hasCode('closed'));
    });
  });
}
