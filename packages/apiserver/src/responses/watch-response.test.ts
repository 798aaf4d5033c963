import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { TestServer } from '../../test/test-server.ts';
import { WatchClient } from '../../test/watch-client.ts';
import { limits } from '../limits.ts';
import { SqliteStore } from '../store/sqlite-store.ts';

const path = '/api/v1/namespaces/default/configmaps';
const mebibyte = 1024 * 1024;

/** A server with so many config maps of one MiB. */
async function serverOf(
  store: SqliteStore,
  count: number,
  options: { clock?: FakeClock } = {},
): Promise<TestServer> {
  const server = await TestServer.start({ store, ...options });
  const padding = 'x'.repeat(mebibyte);
  for (let index = 0; index < count; index++) {
    const metadata = { name: `c-${String(index).padStart(3, '0')}`, namespace: 'default', uid: `u-${index}` };
    const value = JSON.stringify({ metadata, data: { padding } });
    await store.write({ key: `/configmaps/default/${metadata.name}`, value });
  }
  return server;
}

describe('a watch whose client reads slowly', () => {
  it('gets 50 MiB of initial events, their end and every change since, however slowly it reads', async (test) => {
    const store = new SqliteStore({ path: ':memory:' });
    const server = await serverOf(store, 50);
    test.after(() => server.close());
    const query =
      'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await WatchClient.open(server, `${path}?${query}`);
    watch.response.pause();
    // Changes while nearly all of it waits to be read; on both sides of what was sent already.
    for (const name of ['c-000', 'c-049']) {
      const patch = { metadata: { labels: { changed: 'yes' } } };
      const type = 'application/merge-patch+json';
      assert.equal((await server.request('PATCH', `${path}/${name}`, { body: patch, type })).status, 200);
    }
    await server.request('DELETE', `${path}/c-001`);
    watch.response.resume();
    const lines = await watch.first(54);
    watch.close();
    const told = lines.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`);
    assert.equal(told.filter((text) => text.startsWith('ADDED c-')).length, 50);
    assert.deepEqual(told.slice(50), ['BOOKMARK ', 'MODIFIED c-000', 'MODIFIED c-049', 'DELETED c-001']);
    assert.deepEqual(lines[50]?.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
    const versions = lines.slice(50).map(({ object }) => Number(object.metadata.resourceVersion));
    assert.deepEqual(
      versions,
      [...versions].sort((left, right) => left - right),
    );
  });

  it('gets no bookmark of what it was not told when its time is over', async (test) => {
    const clock = new FakeClock();
    const server = await serverOf(new SqliteStore({ path: ':memory:' }), 50, { clock });
    test.after(() => server.close());
    const query = 'watch=true&allowWatchBookmarks=true&timeoutSeconds=10';
    const watch = await WatchClient.open(server, `${path}?${query}`);
    await watch.first(1);
    watch.response.pause();
    clock.advance(10_000);
    watch.response.resume();
    await watch.end();
    assert.ok(watch.lines.length < 50, 'the client was told all of it');
    assert.deepEqual(new Set(watch.lines.map(({ type }) => type)), new Set(['ADDED']));
  });

  it('catches up with a long past at its own pace', async (test) => {
    const store = new SqliteStore({ path: ':memory:' });
    const server = await TestServer.start({ store });
    test.after(() => server.close());
    const from = await store.revision();
    const count = limits.catchUpEventsMax + limits.windowEventsMax + 500;
    const metadata = { name: 'c', namespace: 'default', uid: 'u' };
    for (let index = 0; index < count; index++) {
      const value = JSON.stringify({ metadata, data: { index: String(index) } });
      void store.write({ key: '/configmaps/default/c', value });
    }
    const watch = await WatchClient.open(server, `${path}?watch=true&resourceVersion=${from}`);
    const lines = await watch.first(count);
    watch.close();
    assert.deepEqual(
      lines.map(({ object }) => Number(object.data?.index)),
      Array.from({ length: count }, (_, index) => index),
    );
  });
});
