import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { after, describe, it } from 'node:test';
import { TestCollection } from '../../test/test-collection.ts';
import { awaitRevision } from './await-revision.ts';
import { getObject } from './get.ts';
import { listObjects } from './list.ts';

const tested = new TestCollection('configmaps');
after(() => tested.store.close());
const write = (name: string) =>
  tested.store.write({ key: `/configmaps/default/${name}`, value: `{"metadata":{"name":"${name}"}}` });
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('a read of a revision that is still to come', () => {
  it('waits for it, be it written where it may', async () => {
    const { revision } = await write('a');
    const found = getObject(tested.collection, tested.request('GET', `/a?resourceVersion=${revision + 1}`));
    const list = listObjects(tested.collection, tested.request('GET', `?resourceVersion=${revision + 1}`));
    let isThere = false;
    void found.then(() => {
      isThere = true;
    });
    await turns();
    assert.equal(isThere, false);
    await tested.store.write({ key: '/pods/default/other', value: '{"metadata":{}}' });
    assert.equal((await found).object.metadata.name, 'a');
    assert.equal((await list).revision, revision + 1);
    assert.equal(tested.clock.pendingTimers, 0);
  });

  it('is refused when it does not come within three seconds, and is to be tried again', async () => {
    const latest = await tested.store.revision();
    const found = getObject(tested.collection, tested.request('GET', `/a?resourceVersion=${latest + 5}`));
    await turns();
    tested.clock.advance(2_999);
    await turns();
    assert.equal(tested.clock.pendingTimers, 1);
    tested.clock.advance(1);
    await assert.rejects(found, (error: { code: number; message: string; status: { details: object } }) => {
      assert.equal(error.code, 504);
      assert.equal(error.message, `Timeout: Too large resource version: ${latest + 5}, current: ${latest}`);
      assert.deepEqual(error.status.details, {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      });
      return true;
    });
  });

  it('is refused at once where that very state is asked for', async () => {
    const latest = await tested.store.revision();
    const query = `?resourceVersion=${latest + 5}&resourceVersionMatch=Exact`;
    await assert.rejects(
      listObjects(tested.collection, tested.request('GET', query)),
      /Too large resource version/,
    );
    assert.equal(tested.clock.pendingTimers, 0);
  });

  it('leaves nothing that waits where the store can not be followed', async () => {
    const { clock } = tested;
    const { signal } = new AbortController();
    const store = {
      revision: async () => 1,
      watch: async () => {
        throw new Error('away');
      },
    };
    await assert.rejects(awaitRevision(store as never, 2, { clock, signal }), /away/);
    assert.deepEqual([clock.pendingTimers, getEventListeners(signal, 'abort').length], [0, 0]);
  });
});
