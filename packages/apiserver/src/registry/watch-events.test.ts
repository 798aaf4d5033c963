import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findResource } from '@wherry/kubeapi';
import { TestCollection } from '../../test/test-collection.ts';
import { toServedResource } from '../kinds/served-resources.ts';
import { readSelection } from '../requests/selection.ts';
import type { StoreEvent } from '../store/store.ts';
import type { StoredValue } from '../store/stored-value.ts';
import { WatchEvents } from './watch-events.ts';

const configMaps = new TestCollection('configmaps');
const resource = toServedResource(findResource('', 'v1', 'configmaps')!);
const selection = (query: string) => readSelection(configMaps.request('GET', query), resource.type);

const stored = (revision: number, labels: object): StoredValue => ({
  ...{ key: '/configmaps/default/a', createRevision: 2, modRevision: revision, version: 1 },
  value: JSON.stringify({ metadata: { name: 'a', namespace: 'default', labels } }),
});
const change = (current: object | null, previous: object | null): StoreEvent => ({
  ...{ revision: 9, key: '/configmaps/default/a' },
  current: current && stored(9, current),
  previous: previous && stored(5, previous),
});

describe('a change as a watch tells it', () => {
  const told = (event: StoreEvent, query = '') => {
    const seen = new WatchEvents(resource).read(event, selection(query));
    return seen && [seen.type, seen.snapshot.object.metadata.resourceVersion];
  };

  it('is ADDED, MODIFIED or DELETED, with the revision of the change', () => {
    assert.deepEqual(told(change({}, null)), ['ADDED', '9']);
    assert.deepEqual(told(change({}, {})), ['MODIFIED', '9']);
    assert.deepEqual(told(change(null, {})), ['DELETED', '9']);
  });

  it('is seen through the selection: what enters is ADDED, what leaves DELETED, the rest untold', () => {
    const query = '?labelSelector=in%3Dyes';
    assert.deepEqual(told(change({ in: 'yes' }, { in: 'no' }), query), ['ADDED', '9']);
    assert.deepEqual(told(change({ in: 'no' }, { in: 'yes' }), query), ['DELETED', '9']);
    assert.deepEqual(told(change({ in: 'yes' }, { in: 'yes', more: 'x' }), query), ['MODIFIED', '9']);
    assert.equal(told(change({ in: 'no' }, null), query), undefined);
    assert.equal(told(change(null, { in: 'no' }), query), undefined);
  });

  it('that makes an object leave shows the last state that was selected', () => {
    const seen = new WatchEvents(resource).read(
      change({ in: 'no' }, { in: 'yes' }),
      selection('?labelSelector=in%3Dyes'),
    );
    assert.deepEqual(seen?.snapshot.object.metadata.labels, { in: 'yes' });
  });

  it('is parsed once for all watches', () => {
    const events = new WatchEvents(resource);
    const event = change({}, null);
    const first = events.read(event, selection(''));
    assert.equal(events.read(event, selection(''))?.snapshot, first?.snapshot);
  });
});
