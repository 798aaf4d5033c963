import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { SqliteStore } from '../sqlite-store.ts';
import { StoredCounts } from './stored-counts.ts';

async function counted(periods: { countPeriodMs: number; sizePeriodMs: number }) {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const store = new SqliteStore({ path: ':memory:', clock });
  const put = (key: string) => store.write({ key, value: '{}' });
  await put('/maps/a');
  const resources = () => [{ group: '', resource: 'configmaps', keyPrefix: '/maps/' }];
  const counts = new StoredCounts({
    ...{ store, metrics, clock, resources, logger: silentLogger },
    ...periods,
  });
  const shown = async () => {
    await counts.refresh();
    const text = metrics.render();
    return {
      objects: /^apiserver_resource_objects\{.*\} (.*)$/m.exec(text)?.[1],
      hasSize: /^apiserver_storage_size_bytes\{/m.test(text),
    };
  };
  return { clock, store, put, shown };
}

test('objects are counted again when their period is over, and somebody asks', async () => {
  const { clock, store, put, shown } = await counted({ countPeriodMs: 60_000, sizePeriodMs: 30_000 });
  assert.deepEqual(await shown(), { objects: '1', hasSize: true });
  await put('/maps/b');
  clock.advance(59_999);
  assert.equal((await shown()).objects, '1');
  clock.advance(1);
  assert.equal((await shown()).objects, '2');
  await store.close();
});

test('a period of 0 leaves the figures out', async () => {
  const { store, shown } = await counted({ countPeriodMs: 0, sizePeriodMs: 0 });
  assert.deepEqual(await shown(), { objects: undefined, hasSize: false });
  await store.close();
});
