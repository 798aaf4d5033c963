import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Pod, StatusError } from '@wherry/kubeapi';
import { TestCollection } from '../../test/test-collection.ts';
import { as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import { createObject, patchObject } from '../registry/writes.ts';
import { evictPod } from './eviction.ts';

const labels = { app: 'a' };
const merge = { 'content-type': 'application/merge-patch+json' };

/** Pods and budgets in one store. */
class Place {
  readonly pods = new TestCollection('pods');
  readonly budgets = new TestCollection('poddisruptionbudgets', { group: 'policy', store: this.pods.store });

  static async with({
    budget,
    conditions = [],
  }: {
    budget?: object;
    conditions?: object[];
  } = {}): Promise<Place> {
    const place = new Place();
    const spec = {
      nodeName: 'n',
      containers: [{ name: 'c', image: 'i' }],
      terminationGracePeriodSeconds: 30,
    };
    await createObject(
      place.pods.collection,
      place.pods.request('POST', '', { metadata: { name: 'p', labels }, spec }),
    );
    if (conditions.length > 0) await place.tell({ phase: 'Running', conditions });
    if (!budget) return place;
    const made = { metadata: { name: 'b' }, spec: { minAvailable: 1, selector: { matchLabels: labels } } };
    await createObject(place.budgets.collection, place.budgets.request('POST', '', made));
    await write(place.budgets, '/b/status', { status: { observedGeneration: 1, ...budget } });
    return place;
  }

  tell(status: object): Promise<unknown> {
    return write(this.pods, '/p/status', { status });
  }

  evict({ deleteOptions, query = '', pods = this.pods.collection }: Asked = {}): Promise<void> {
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' }, deleteOptions };
    const request = this.pods.request('POST', `/p/eviction${query}`, eviction);
    return evictPod(pods, this.budgets.collection, request);
  }

  async pod(): Promise<Pod> {
    return as<Pod>((await this.pods.collection.storage.get({ namespace: 'default', name: 'p' })).read());
  }

  async budgetStatus(): Promise<{ disruptionsAllowed: number; conditions: { type: string }[] }> {
    const found = await this.budgets.collection.storage.get({ namespace: 'default', name: 'b' });
    return found.read().status as never;
  }
}

interface Asked {
  deleteOptions?: object;
  query?: string;
  pods?: Collection;
}

function write(to: TestCollection, below: string, body: object): Promise<unknown> {
  const request = to.request('PATCH', below, body, merge);
  return patchObject(to.collection, request, { type: 'merge', value: body as never, duplicates: [] });
}

const refusal = (code: number, message: RegExp, cause?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StatusError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  if (cause) assert.match(error.status.details?.causes?.[0]?.message ?? '', cause);
  return true;
};

const ready = [{ type: 'Ready', status: 'True' }];

describe('an eviction', () => {
  it('says at its place in the status what the pod goes of, and since when', async () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const target = { type: 'DisruptionTarget', status: 'True', reason: 'Other', lastTransitionTime };
    const place = await Place.with({ conditions: [target, ...ready] });
    await place.evict();
    const { metadata, status } = await place.pod();
    assert.ok(metadata.deletionTimestamp);
    assert.deepEqual(
      status?.conditions?.map(({ type, reason }) => [type, reason]),
      [
        ['DisruptionTarget', 'EvictionByEvictionAPI'],
        ['Ready', undefined],
      ],
    );
    assert.equal(status?.conditions?.[0]?.lastTransitionTime, lastTransitionTime);
  });

  it('leaves the conditions of the budget where they are when its last place is taken', async () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const conditions = [
      {
        type: 'DisruptionAllowed',
        status: 'True',
        reason: 'SufficientPods',
        message: '',
        lastTransitionTime,
      },
      { type: 'Own', status: 'True', reason: 'R', message: '', lastTransitionTime },
    ];
    const place = await Place.with({ budget: { disruptionsAllowed: 1, conditions }, conditions: ready });
    await place.evict({ query: '?dryRun=All' });
    assert.equal((await place.budgetStatus()).disruptionsAllowed, 1, 'a dry run takes none');
    await place.evict();
    const status = await place.budgetStatus();
    assert.equal(status.disruptionsAllowed, 0);
    assert.deepEqual(
      status.conditions.map(({ type }) => type),
      ['DisruptionAllowed', 'Own'],
    );
  });

  it('means the pod that its preconditions name, in a dry run too', async () => {
    const place = await Place.with();
    const older = { preconditions: { resourceVersion: '1' } };
    for (const query of ['', '?dryRun=All'])
      await assert.rejects(
        place.evict({ deleteOptions: older, query }),
        refusal(409, /on Pod "p": the ResourceVersion in the precondition \(1\) does not match/),
      );
    await assert.rejects(
      place.evict({ deleteOptions: { preconditions: { uid: 'x' } } }),
      refusal(409, /the UID in the precondition \(x\) does not match/),
    );
    const { resourceVersion = '' } = (await place.pod()).metadata;
    await place.evict({ deleteOptions: { preconditions: { resourceVersion } } });
    assert.ok((await place.pod()).metadata.deletionTimestamp);
  });

  it('refuses options that no deletion of a pod has', async () => {
    const place = await Place.with();
    const name = 'ignoreStoreReadErrorWithClusterBreakingPotential';
    await assert.rejects(
      place.evict({ deleteOptions: { [name]: true } }),
      refusal(422, /Eviction\.policy "p" is invalid: deleteOptions\..*can not be set for pod eviction/),
    );
    await assert.rejects(
      place.evict({ deleteOptions: { dryRun: ['Some'] } }),
      refusal(422, /dryRun: Unsupported value: \["Some"\]/),
    );
    assert.equal((await place.pod()).metadata.deletionTimestamp, undefined);
  });

  it('of a pod that waited and has come to run meanwhile asks its budget after all', async () => {
    const place = await Place.with({
      budget: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 },
    });
    let reads = 0;
    const { collection } = place.pods;
    const { storage } = collection;
    const get = storage.get.bind(storage);
    storage.get = async (key) => {
      const found = await get(key);
      reads += 1;
      if (reads === 1) await place.tell({ phase: 'Running', conditions: ready });
      return found;
    };
    await assert.rejects(place.evict(), refusal(429, /disruption budget/, /needs 1 healthy pods and has 1/));
    storage.get = get;
    assert.equal((await place.pod()).metadata.deletionTimestamp, undefined);
  });

  it('of a pod that has become ready just then is to be tried again', async () => {
    const budget = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 1 };
    const place = await Place.with({ budget, conditions: [{ type: 'Ready', status: 'False' }] });
    const { storage } = place.pods.collection;
    const get = storage.get.bind(storage);
    let reads = 0;
    storage.get = async (key) => {
      const found = await get(key);
      reads += 1;
      if (reads === 2) await place.tell({ conditions: ready });
      return found;
    };
    await assert.rejects(place.evict(), refusal(429, /budget/, /budget b is still being processed/));
  });
});
