import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { findResource, type ResourceFacts } from '@wherry/kubeapi';
import { toServedResource } from '../kinds/served-resources.ts';
import { periods } from '../limits.ts';
import type { ServedResource } from '../objects/strategy.ts';
import { SqliteStore } from '../store/sqlite-store.ts';
import type { RangeOptions, RangePage } from '../store/store.ts';
import { ParamCaches } from './param-caches.ts';

/** Counts how often it is read. */
class CountedStore extends SqliteStore {
  reads = 0;

  override range(options: RangeOptions): Promise<RangePage> {
    this.reads += 1;
    return super.range(options);
  }
}

describe('the parameters of policies', () => {
  let store: CountedStore;
  const clock = new FakeClock();
  const resource: ServedResource = toServedResource(findResource('', 'v1', 'configmaps') as ResourceFacts);
  let caches: ParamCaches;
  before(() => {
    store = new CountedStore({ path: ':memory:' });
  });
  after(() => store.close());
  beforeEach(() => {
    caches = new ParamCaches({ store, clock });
    store.reads = 0;
  });

  const key = (name: string) => `${resource.keyPrefix}default/${name}`;
  const write = (name: string, x: string | null) =>
    store.write({
      key: key(name),
      value: x === null ? null : JSON.stringify({ metadata: { name, namespace: 'default' }, data: { x } }),
    });
  const found = async (name?: string, namespace = 'default') =>
    (await caches.find(resource, namespace, name)).map(({ data }) => (data as { x: string }).x);

  it('are read from the store once, and as the last write has left them from then on', async () => {
    await write('a', '1');
    assert.deepEqual(await found('a'), ['1']);
    for (const x of ['2', '3', '4']) {
      await write('a', x);
      assert.deepEqual(await found('a'), [x]);
    }
    await write('b', '5');
    assert.deepEqual(await found(), ['4', '5']);
    assert.deepEqual(await found('b', 'other'), []);
    await write('a', null);
    assert.deepEqual([await found('a'), await found()], [[], ['5']]);
    assert.equal(store.reads, 1);
    caches.close();
  });

  it('are let go when nobody has asked for long, and read again by who asks then', async () => {
    await write('b', '5');
    await found('b');
    clock.advance(periods.paramsIdleMs - 1);
    await found('b');
    clock.advance(periods.paramsIdleMs - 1);
    assert.deepEqual(await found('b'), ['5']);
    assert.equal(store.reads, 1);
    clock.advance(2 * periods.paramsIdleMs);
    assert.equal(clock.pendingTimers, 0);
    assert.deepEqual(await found('b'), ['5']);
    assert.equal(store.reads, 2);
    caches.close();
    assert.equal(clock.pendingTimers, 0);
  });
});
