import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { StatusError } from '@wherry/kubeapi';
import { TestCollection } from '../../test/test-collection.ts';
import { limits } from '../limits.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import type { RangeOptions, RangePage } from '../store/store.ts';
import { listObjects } from './list.ts';

/** Counts what lists cost. */
class CountingStore extends SqliteStore {
  ranges = 0;
  counts = 0;

  override range(options: RangeOptions): Promise<RangePage> {
    this.ranges += 1;
    if (options.countsRemaining) this.counts += 1;
    return super.range(options);
  }
}

const nameOf = (index: number) => `c-${String(index).padStart(5, '0')}`;

/** So many config maps in one store; every third is labelled `third=yes`. */
async function filled(test: TestContext, count: number, padding = '') {
  const store = new CountingStore({ path: ':memory:' });
  const configMaps = new TestCollection('configmaps', { store });
  test.after(() => configMaps.close());
  const writes = Array.from({ length: count }, (_, index) => {
    const labels = index % 3 === 0 ? { third: 'yes' } : { third: 'no' };
    const value = JSON.stringify({
      metadata: { name: nameOf(index), namespace: 'default', labels },
      data: { padding },
    });
    return store.write({ key: `/configmaps/default/${nameOf(index)}`, value });
  });
  await Promise.all(writes);
  const list = (query: string) => listObjects(configMaps.collection, configMaps.request('GET', `?${query}`));
  return { store, configMaps, list };
}

const namesOf = ({ items }: { items: { object: { metadata: { name?: string } } }[] }) =>
  items.map(({ object }) => object.metadata.name);

/** Runs `work`; how often the event loop turned meanwhile. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isRunning = false;
  return turns;
}

describe('a list', () => {
  it('of one name is no older than what it holds, so that a watch from there tells of nothing twice', async (test) => {
    const { store, list } = await filled(test, 1);
    const revisionBefore = store.revision.bind(store);
    // Somebody writes between the two looks that the list takes.
    store.revision = async () => {
      const revision = await revisionBefore();
      const metadata = { name: nameOf(0), namespace: 'default', labels: { new: 'yes' } };
      await store.write({ key: `/configmaps/default/${nameOf(0)}`, value: JSON.stringify({ metadata }) });
      return revision;
    };
    const { items, revision } = await list(`fieldSelector=metadata.name%3D${nameOf(0)}`);
    assert.equal(items[0]?.object.metadata.resourceVersion, String(revision));
  });

  it('with a limit and a selector that matches nothing reads page by page, counts nothing and lets others have their turn', async (test) => {
    const { store, list } = await filled(test, 5_000);
    const pages = Math.ceil(5_000 / limits.pageRowsMax);
    let page: Awaited<ReturnType<typeof list>> | undefined;
    const turns = await turnsOf(async () => {
      page = await list('limit=1&labelSelector=third%3Dmaybe');
    });
    assert.deepEqual([page?.items.length, page?.continueToken], [0, '']);
    assert.ok(store.ranges <= pages + 1, `${store.ranges} looks into the store`);
    assert.equal(store.counts, 0);
    assert.ok(turns >= pages - 1, `the event loop turned ${turns} times`);
  });

  it('of many objects is read in bounded pages of one revision, also when others write meanwhile', async (test) => {
    const { store, list } = await filled(test, 3_000);
    const revision = await store.revision();
    let isRunning = true;
    const writing = (async () => {
      for (let index = 0; isRunning; index++) {
        await store.write({ key: `/configmaps/default/${nameOf(index)}`, value: null });
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const page = await list('');
    isRunning = false;
    await writing;
    assert.equal(page.items.length, 3_000);
    assert.equal(page.revision, revision);
    assert.ok(store.ranges >= 3_000 / limits.pageRowsMax);
  });

  it('of large objects is read in pages that are bounded in characters', async (test) => {
    const padding = 'x'.repeat(limits.pageCharactersMax / 4);
    const { store, list } = await filled(test, 40, padding);
    assert.equal((await list('')).items.length, 40);
    assert.ok(store.ranges >= 8, `${store.ranges} pages`);
  });

  it('by a selector and a limit goes on from its token, without a gap and without a double', async (test) => {
    const { list } = await filled(test, 1_000);
    const names: (string | undefined)[] = [];
    let token = '';
    do {
      const page = await list(`limit=100&labelSelector=third%3Dyes&continue=${token}`);
      assert.ok(page.items.length <= 100);
      assert.equal(page.remaining, undefined, 'nobody knows how many match');
      names.push(...namesOf(page));
      token = page.continueToken;
    } while (token !== '');
    const expected = Array.from({ length: 334 }, (_, index) => nameOf(index * 3));
    assert.deepEqual(names, expected);
  });

  it('without a selector tells how many objects remain, counted once', async (test) => {
    const { store, list } = await filled(test, 1_200);
    const first = await list('limit=700');
    assert.deepEqual([first.items.length, first.remaining], [700, 500]);
    assert.equal(store.counts, 1);
    const rest = await list(`limit=700&continue=${first.continueToken}`);
    assert.deepEqual([rest.items.length, rest.remaining, rest.continueToken], [500, undefined, '']);
    assert.equal(rest.revision, first.revision);
  });

  it('that is continued is from the version of its token alone', async (test) => {
    const { list } = await filled(test, 4);
    const { continueToken } = await list('limit=2');
    for (const [query, message] of [
      ['continue=x', /continue key is not valid/],
      ['continue=x&resourceVersion=1', /continue key is not valid/],
      ['continue=x&resourceVersion=x', /continue key is not valid/],
      [`continue=${continueToken}&resourceVersion=1`, /specifying resource version is not allowed/],
      [`continue=${continueToken}&resourceVersion=x`, /specifying resource version is not allowed/],
    ] as const)
      await assert.rejects(list(query), { code: 400, message });
    assert.ok((await list(`continue=${continueToken}&resourceVersion=0`)).items.length > 0);
  });

  it('that is continued shows what was there when it began', async (test) => {
    const { store, list } = await filled(test, 4);
    const first = await list('limit=2');
    await store.write({ key: `/configmaps/default/${nameOf(3)}`, value: null });
    const value = '{"metadata":{"name":"late","namespace":"default"}}';
    await store.write({ key: '/configmaps/default/late', value });
    const rest = await list(`limit=2&continue=${first.continueToken}`);
    assert.deepEqual([...namesOf(first), ...namesOf(rest)], [0, 1, 2, 3].map(nameOf));
  });

  it('that is continued after a compaction is refused with 410, and a token to go on with what is there now', async (test) => {
    const { store, list } = await filled(test, 6);
    const { continueToken } = await list('limit=2');
    await store.write({ key: `/configmaps/default/${nameOf(3)}`, value: null });
    await store.compact(await store.revision());
    let token = '';
    await assert.rejects(list(`limit=2&continue=${continueToken}`), (error: StatusError) => {
      assert.deepEqual([error.code, error.reason], [410, 'Expired']);
      assert.match(error.message, /or use the continue token in this response to retrieve the remainder/);
      token = error.status.metadata?.continue ?? '';
      return true;
    });
    const rest = await list(`limit=2&continue=${token}`);
    assert.deepEqual(namesOf(rest), [2, 4].map(nameOf));
    assert.deepEqual([rest.revision, rest.remaining], [await store.revision(), 1]);
    await store.write({ key: `/configmaps/default/${nameOf(5)}`, value: null });
    const last = await list(`limit=2&continue=${rest.continueToken}`);
    assert.deepEqual(namesOf(last), [5].map(nameOf), 'from here on it is one revision again');
    const named = await list(`fieldSelector=metadata.name%3D${nameOf(0)}&continue=${token}`);
    assert.deepEqual(namesOf(named), [], 'what was sent is not sent again');
  });

  it('of a past version that was compacted is refused with 410 and no token', async (test) => {
    const { store, list } = await filled(test, 4);
    const revision = await store.revision();
    await store.write({ key: `/configmaps/default/${nameOf(3)}`, value: null });
    await store.compact(await store.revision());
    await assert.rejects(
      list(`resourceVersion=${revision}&resourceVersionMatch=Exact`),
      (error: StatusError) => {
        assert.deepEqual([error.code, error.status.metadata], [410, {}]);
        return true;
      },
    );
  });

  it('of whatever is there (`resourceVersion=0`) comes whole, whatever its limit', async (test) => {
    const { list } = await filled(test, 3);
    const { items, continueToken, remaining } = await list('resourceVersion=0&limit=1');
    assert.deepEqual([items.length, continueToken, remaining], [3, '', undefined]);
    const fresh = await list('resourceVersion=1&resourceVersionMatch=NotOlderThan&limit=1');
    assert.equal(fresh.items.length, 1);
  });

  it('takes a negative limit for none, and refuses a version together with a token', async (test) => {
    const { list } = await filled(test, 3);
    assert.equal((await list('limit=-1')).items.length, 3);
    const { continueToken } = await list('limit=1');
    await assert.rejects(list(`limit=1&continue=${continueToken}&resourceVersion=2`), { code: 400 });
    await assert.rejects(list('resourceVersion=999&resourceVersionMatch=Exact'), { code: 504 });
  });
});
