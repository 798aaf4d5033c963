import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../apiserver/test/test-server.ts';
import { type ConfigMap, createKubeClient, type KubeClient, kinds, type StatusError } from '../src/index.ts';

let server: TestServer;
let client: KubeClient;

before(async () => {
  server = await TestServer.start({ runtimeConfig: { 'apps/v1/deployments': true } });
  client = createKubeClient({ kubeconfig: server.kubeconfig });
});
after(async () => {
  client?.close();
  await server?.close();
});

const configMap = (name: string, data: Record<string, string> = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name, labels: { app: 'verbs' } },
  data,
});

const deployment = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1' }] },
    },
  },
};

describe('the verbs of a client, against a real API server', () => {
  it('apply text of several documents, an array and an object, and give back what is stored', async () => {
    const text = `
apiVersion: v1
kind: ConfigMap
metadata: { name: from-text }
data: { answer: "yes" }
---
# nothing here
---
apiVersion: v1
kind: List
items:
- { apiVersion: v1, kind: ConfigMap, metadata: { name: from-list } }
`;
    const applied = await client.apply(text);
    assert.deepEqual(
      applied.map(({ metadata }) => [metadata?.name, metadata?.namespace]),
      [
        ['from-text', 'default'],
        ['from-list', 'default'],
      ],
    );
    const [first, second] = await client.apply([configMap('one', { a: '1' }), configMap('two')]);
    assert.deepEqual([first?.data, second?.metadata.name], [{ a: '1' }, 'two']);
    const { metadata } = await client.apply(configMap('one', { a: '2' }));
    assert.equal(metadata.name, 'one');
    // What was read can be applied as it is, although it says who manages what.
    const read = await client.get('ConfigMap/one');
    assert.deepEqual((await client.apply({ ...read, data: { a: '3' } })).data, { a: '3' });
  });

  it('say which fields another manager holds, and take them over when told to', async () => {
    await client.apply(configMap('held', { a: '1' }), { fieldManager: 'first' });
    const refused = await client
      .apply(configMap('held', { a: '2' }), { fieldManager: 'second' })
      .catch((error: StatusError) => error);
    assert.ok('reason' in refused);
    assert.deepEqual([refused.code, refused.reason], [409, 'Conflict']);
    assert.deepEqual(
      refused.causes.map(({ field, reason }) => [field, reason]),
      [['.data.a', 'FieldManagerConflict']],
    );
    const forced = await client.apply(configMap('held', { a: '2' }), { fieldManager: 'second', force: true });
    assert.deepEqual(forced.data, { a: '2' });
  });

  it('find an object by itself, by KIND/NAME in kubectl’s names, and by kind and name apart', async () => {
    const made = await client.create(configMap('found', { a: 'b' }));
    const typed = await client.get('ConfigMap/found');
    assert.equal(typed.data?.['a'], 'b');
    for (const name of ['cm/found', 'configmaps/found', 'configmap/found']) {
      assert.equal((await client.get<ConfigMap>(name)).metadata.uid, typed.metadata.uid);
    }
    assert.equal((await client.get({ kind: 'ConfigMap', name: 'found' })).data?.['a'], 'b');
    assert.equal((await client.get({ type: kinds.configMaps, name: 'found' })).data?.['a'], 'b');
    assert.equal((await client.get(made)).data['a'], 'b');
    await assert.rejects(client.get('ConfigMap/none'), {
      name: 'StatusError',
      reason: 'NotFound',
      code: 404,
    });
    await assert.rejects(client.get('Gadget/none'), {
      code: 'unknown-kind',
      message: /no resource type "Gadget"/,
    });
    await assert.rejects(client.get('ConfigMap'), { code: 'bad-argument' });
    await assert.rejects(client.get('ConfigMap/../found'), { code: 'bad-argument' });
  });

  it('list page by page, and say of each object what it is', async () => {
    const names: string[] = [];
    for await (const object of client.list('ConfigMap', { labelSelector: 'app=verbs' })) {
      assert.deepEqual([object.apiVersion, object.kind], ['v1', 'ConfigMap']);
      names.push(object.metadata.name ?? '');
    }
    assert.ok(names.includes('one') && names.includes('found') && !names.includes('from-text'), names.join());
    assert.deepEqual(await client.list('ConfigMap', { namespace: 'kube-public' }).toArray(), []);
    const everywhere = await client.list('Namespace').toArray();
    assert.ok(everywhere.some(({ metadata }) => metadata.name === 'kube-system'));
  });

  it('patch in the form that the kind and the patch call for', async () => {
    const made = await client.create(configMap('patched', { a: '1' }));
    assert.deepEqual((await client.patch(made, { data: { b: '2' } })).data, { a: '1', b: '2' });
    const operations = [{ op: 'remove', path: '/data/a' }];
    assert.deepEqual((await client.patch('ConfigMap/patched', operations)).data, { b: '2' });
    const merged = await client.patch('ConfigMap/patched', { data: null }, { type: 'merge' });
    assert.equal(merged.data, undefined);
    const replaced = await client.replace({
      ...made,
      metadata: { ...made.metadata, resourceVersion: undefined },
    });
    assert.deepEqual(replaced.data, { a: '1' });
  });

  it('wait for a condition, a field, a function, and an end', async () => {
    const missing = client.waitFor('ConfigMap/late', 'create', { timeoutMs: 5_000 });
    const filled = client.waitFor('ConfigMap/late', 'jsonpath={.data.state}=done');
    const judged = client.waitFor('ConfigMap/late', ({ data }) => data?.['state'] === 'done');
    await client.create(configMap('late', { state: 'begun' }));
    assert.equal((await missing).metadata.name, 'late');
    await client.patch('ConfigMap/late', { data: { state: 'done' } });
    assert.deepEqual((await filled).data, { state: 'done' });
    assert.deepEqual((await judged).data, { state: 'done' });
    const stays = client.waitFor('ConfigMap/late', 'delete', { timeoutMs: 50 });
    await assert.rejects(stays, /delete did not come within 0\.05 s; it is there, and has no status$/);
    const held = { metadata: { finalizers: ['example.com/held'] } };
    await client.patch('ConfigMap/late', held);
    await client.delete('ConfigMap/late');
    await assert.rejects(
      client.waitFor('ConfigMap/late', 'delete', { timeoutMs: 50 }),
      /it has a deletion that waits for example\.com\/held$/,
    );
    const gone = client.waitFor('ConfigMap/late', 'delete');
    await client.patch('ConfigMap/late', { metadata: { finalizers: null } });
    assert.equal((await gone).metadata.name, 'late');

    await client.apply(deployment);
    const ready = client.waitFor('Deployment/web', 'condition=Available');
    const conditions = [{ type: 'Available', status: 'True', reason: 'Test', message: '' }];
    const status = { status: { observedGeneration: 1, conditions } };
    await client.patch('Deployment/web', status, { subresource: 'status' });
    assert.equal((await ready).status?.conditions?.[0]?.type, 'Available');
    await assert.rejects(client.waitFor('deploy/web', 'condition=Progressing', { timeoutMs: 50 }), {
      code: 'timed-out',
      message: 'deployments/web: condition=Progressing did not come within 0.05 s; it has Available=True',
    });
    // A condition that was observed before the latest change says nothing about it.
    await client.patch('Deployment/web', { spec: { minReadySeconds: 1 } });
    await assert.rejects(client.waitFor('deploy/web', 'Available', { timeoutMs: 50 }), { code: 'timed-out' });
    await assert.rejects(client.waitFor('ConfigMap/never', 'Ready', { timeoutMs: 50 }), /it is not there/);
    const signal = AbortSignal.abort(new Error('given up'));
    await assert.rejects(client.waitFor('ConfigMap/never', 'create', { signal }), /given up/);
    await assert.rejects(client.waitFor('ConfigMap/never', 'soon'), { code: 'bad-argument' });
  });

  it('wait in vain and say what the object says of itself: messages of conditions, containers that do not run', async () => {
    const containers = ['a', 'b'].map((name) => ({ name, image: 'x' }));
    await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } });
    await client.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'stuck' }, spec: { containers } });
    const status = {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'True', message: 'not told' },
        { type: 'Ready', status: 'False', message: 'containers are missing' },
        { type: 'FailureTarget', status: 'True', message: 'too often' },
      ],
      containerStatuses: [
        { name: 'a', state: { waiting: { reason: 'ErrImagePull', message: 'no x' } } },
        { name: 'b', state: { terminated: { reason: 'Error', exitCode: 3 } } },
        {
          name: 'c',
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { reason: 'StartError', exitCode: 128, message: 'no program' } },
        },
      ],
    };
    await client.patch('Pod/stuck', { status }, { subresource: 'status' });
    await assert.rejects(client.waitFor('Pod/stuck', 'Ready', { timeoutMs: 1_000 }), {
      message:
        'pods/stuck: Ready did not come within 1 s; it has phase Pending, PodScheduled=True Ready=False (containers are missing) FailureTarget=True (too often), ' +
        'container a waiting (ErrImagePull: no x), container b ended with exit code 3 (Error), ' +
        'container c waiting (CrashLoopBackOff); it ended with exit code 128 (StartError: no program)',
    });
  });

  it('watch what is there and what changes, until the loop is left', async () => {
    await client.create(configMap('watched-1'));
    const seen: string[] = [];
    for await (const { type, object } of client.watch('ConfigMap', { fieldSelector: 'metadata.name!=x' })) {
      const name = object.metadata.name ?? '';
      if (name.startsWith('watched')) seen.push(`${type} ${name}`);
      if (seen.length === 1) await client.create(configMap('watched-2'));
      if (seen.length === 2) await client.delete('ConfigMap/watched-1');
      if (seen.length === 3) break;
    }
    assert.deepEqual(seen, ['ADDED watched-1', 'ADDED watched-2', 'DELETED watched-1']);
  });

  it('follow objects until it is enough, and end with what is thrown meanwhile', async () => {
    await client.create(configMap('followed-1'));
    const seen: string[] = [];
    await client.followUntil('ConfigMap', (change) => {
      if (change.type === 'SYNCED') {
        seen.push(`SYNCED ${change.objects.some(({ metadata }) => metadata.name === 'followed-1')}`);
        void client.create(configMap('followed-2'));
      } else if (change.object.metadata.name?.startsWith('followed')) {
        seen.push(`${change.type} ${change.object.metadata.name}`);
        if (seen.length === 3) void client.delete('ConfigMap/followed-1');
      }
      return seen.length === 4;
    });
    assert.deepEqual(seen, ['ADDED followed-1', 'SYNCED true', 'ADDED followed-2', 'DELETED followed-1']);
    const thrown = client.followUntil('ConfigMap', () => {
      throw new Error('enough');
    });
    await assert.rejects(thrown, /enough/);
    const signal = AbortSignal.abort(new Error('given up'));
    await assert.rejects(
      client.followUntil('ConfigMap', () => false, { signal }),
      /given up/,
    );
  });

  it('follow a kind into a store with indices, from a streamed list', async () => {
    await client.create(configMap('indexed', { team: 'red' }));
    await using informer = client.informer(kinds.configMaps, {
      indices: { team: ({ data }) => (data?.['team'] ? [data['team']] : []) },
    });
    await informer.start().synced();
    const names = (team: string) => informer.byIndex('team', team).map(({ metadata }) => metadata.name);
    assert.deepEqual([names('red'), names('blue')], [['indexed'], []]);
    const moved = Promise.withResolvers<void>();
    informer.on({ updated: ({ metadata }) => metadata.name === 'indexed' && moved.resolve() });
    await client.patch('ConfigMap/indexed', { data: { team: 'blue' } });
    await moved.promise;
    assert.deepEqual([names('red'), names('blue')], [[], ['indexed']]);
    assert.equal(informer.get('indexed', 'default')?.data?.['team'], 'blue');
  });
});
