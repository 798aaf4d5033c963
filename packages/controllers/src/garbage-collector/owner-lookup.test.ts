import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { KubeClient } from '@wherry/client';
import { notFound } from '@wherry/kubeapi';
import { typeOf } from '../../test/cluster.ts';
import { limits } from '../limits.ts';
import { nodeOf, ObjectGraph } from '../owners/object-graph.ts';
import type { ServedKinds } from '../watching/served-kinds.ts';
import { OwnerLookup } from './owner-lookup.ts';

test('thousands of owners that an object says it has are asked for a few at a time', async () => {
  const type = typeOf('', 'v1', 'configmaps');
  let [asking, most, asked] = [0, 0, 0];
  const get = async ({ name }: { name: string }) => {
    asked += 1;
    most = Math.max(most, ++asking);
    await setImmediate();
    asking -= 1;
    throw notFound({ group: '', resource: 'configmaps' }, name);
  };
  const lookup = new OwnerLookup({
    client: { metadata: () => ({ get }) } as unknown as KubeClient,
    graph: new ObjectGraph(),
    served: { find: () => type } as unknown as ServedKinds,
  });
  const ownerReferences = Array.from({ length: 3_000 }, (_, index) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${index}`, uid: `${index}` },
  }));
  const dependent = nodeOf(type, {
    metadata: { name: 'x', namespace: 'default', uid: 'x', ownerReferences },
  });
  assert.ok(dependent);
  const judged = await lookup.judgeAll(dependent, AbortSignal.timeout(60_000));
  assert.deepEqual(new Set(judged.map(({ state }) => state)), new Set(['absent']));
  assert.deepEqual([judged.length, asked, most], [3_000, 3_000, limits.ownersAtOnce]);
});
