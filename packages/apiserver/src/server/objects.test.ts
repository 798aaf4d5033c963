import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../test/test-server.ts';

const namespace = '/api/v1/namespaces/default';
const configMaps = `${namespace}/configmaps`;
const configMap = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data: { key: 'value' },
});
const pod = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'busybox' }], automountServiceAccountToken: false, ...more },
});
const mergePatch = 'application/merge-patch+json';

describe('objects over HTTPS', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await server.request('POST', `${namespace}/serviceaccounts`, { body: account });
  });
  after(() => server.close());

  it('are shown to whoever asks for a state as old as theirs, or older', async () => {
    const { body } = await server.request('GET', '/api/v1/namespaces/default');
    for (const version of ['0', body.metadata.resourceVersion, '1']) {
      const again = await server.request('GET', `/api/v1/namespaces/default?resourceVersion=${version}`);
      assert.deepEqual(again.body, body, version);
    }
  });

  it('are created with uid, time and resourceVersion, and read back the same', async () => {
    const created = await server.request('POST', configMaps, { body: configMap('first') });
    assert.equal(created.status, 201);
    const { uid, creationTimestamp, resourceVersion } = created.body.metadata;
    assert.match(uid, /^[0-9a-f-]{36}$/);
    assert.match(creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.ok(Number(resourceVersion) > 1);
    const read = await server.request('GET', `${configMaps}/first`);
    assert.deepEqual(read.body, created.body);
  });

  it('take all changes of many clients at once', async () => {
    await server.request('POST', configMaps, { body: configMap('hot') });
    const clients = Array.from({ length: 100 }, (_, index) => `client-${index}`);
    const patch = (client: string) =>
      server.request('PATCH', `${configMaps}/hot`, { type: mergePatch, body: { data: { [client]: '' } } });
    const answers = await Promise.all(clients.map(patch));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const { body } = await server.request('GET', `${configMaps}/hot`);
    assert.deepEqual(Object.keys(body.data).sort(), [...clients, 'key'].sort());
  });

  it('are refused twice under one name, with details', async () => {
    await server.request('POST', configMaps, { body: configMap('twice') });
    const { status, body } = await server.request('POST', configMaps, { body: configMap('twice') });
    assert.equal(status, 409);
    assert.equal(body.message, 'configmaps "twice" already exists');
    assert.deepEqual(body.details, { name: 'twice', kind: 'configmaps' });
  });

  it('of limits get a name where they have none', async () => {
    const { status, body } = await server.request('POST', `${namespace}/limitranges`, { body: {} });
    assert.equal(status, 201);
    assert.match(body.metadata.name, /^[0-9a-f-]{36}$/);
  });

  it('that need the version which the client has seen are refused without it', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    await server.request('POST', leases, { body: { metadata: { name: 'seen' } } });
    for (const resourceVersion of [undefined, '0']) {
      const metadata = { name: 'seen', resourceVersion };
      const { status, body } = await server.request('PUT', `${leases}/seen`, { body: { metadata } });
      const why = 'metadata.resourceVersion: Invalid value: 0: must be specified for an update';
      assert.deepEqual([status, body.message], [422, `leases.coordination.k8s.io "seen" is invalid: ${why}`]);
    }
  });

  it('get a name from generateName', async () => {
    const { body } = await server.request('POST', configMaps, {
      body: { metadata: { generateName: 'made-' } },
    });
    assert.match(body.metadata.name, /^made-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('are not stored by a dry run', async () => {
    const answer = await server.request('POST', `${configMaps}?dryRun=All`, { body: configMap('dry') });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.metadata.resourceVersion, undefined);
    assert.equal((await server.request('GET', `${configMaps}/dry`)).status, 404);
    await server.request('POST', configMaps, { body: configMap('dry') });
    await server.request('DELETE', `${configMaps}/dry?dryRun=All`);
    assert.equal((await server.request('GET', `${configMaps}/dry`)).status, 200);
  });

  it('are replaced only at the resourceVersion that the client saw', async () => {
    const { body: created } = await server.request('POST', configMaps, { body: configMap('raced') });
    const next = { ...created, data: { key: 'next' } };
    const replaced = await server.request('PUT', `${configMaps}/raced`, { body: next });
    assert.equal(replaced.status, 200);
    const stale = await server.request('PUT', `${configMaps}/raced`, { body: { ...next, data: {} } });
    assert.equal(stale.status, 409);
    assert.equal(stale.body.reason, 'Conflict');
    assert.match(
      stale.body.message,
      /the object has been modified; please apply your changes to the latest version/,
    );
  });

  it('keep their resourceVersion when nothing changes', async () => {
    const { body: created } = await server.request('POST', configMaps, { body: configMap('same') });
    const again = await server.request('PUT', `${configMaps}/same`, { body: created });
    assert.equal(again.body.metadata.resourceVersion, created.metadata.resourceVersion);
  });

  it('keep uid and creation time whatever an update says', async () => {
    const { body: created } = await server.request('POST', configMaps, { body: configMap('kept') });
    const body = configMap('kept', { creationTimestamp: '2001-01-01T00:00:00Z' });
    const { body: next } = await server.request('PUT', `${configMaps}/kept`, { body });
    assert.equal(next.metadata.creationTimestamp, created.metadata.creationTimestamp);
    assert.equal(next.metadata.uid, created.metadata.uid);
    const other = configMap('kept', { uid: '00000000-0000-0000-0000-000000000000' });
    const refused = await server.request('PUT', `${configMaps}/kept`, { body: other });
    assert.equal(refused.status, 409);
    assert.match(refused.body.message, /Precondition failed: UID in precondition/);
  });

  it('are patched in each of the three formats', async () => {
    await server.request('POST', configMaps, { body: configMap('patched') });
    const path = `${configMaps}/patched`;
    await server.request('PATCH', path, { type: mergePatch, body: { data: { merged: 'yes', key: null } } });
    const strategic = 'application/strategic-merge-patch+json';
    await server.request('PATCH', path, { type: strategic, body: { metadata: { labels: { a: 'b' } } } });
    const operations = [{ op: 'add', path: '/data/added', value: 'yes' }];
    const { body } = await server.request('PATCH', path, {
      type: 'application/json-patch+json',
      body: operations,
    });
    assert.deepEqual(body.data, { merged: 'yes', added: 'yes' });
    assert.deepEqual(body.metadata.labels, { a: 'b' });
    for (const [type, patch] of [
      [mergePatch, { kind: 'Secret' }],
      [mergePatch, { apiVersion: 'v2' }],
      ['application/json-patch+json', [{ op: 'replace', path: '/kind', value: 'Secret' }]],
    ] as const) {
      const refused = await server.request('PATCH', path, { type, body: patch });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.body.message, /cannot be handled as a ConfigMap/);
    }
  });

  describe('applied by the server', () => {
    const apply = (manager: string, data: Record<string, string>, query = '') =>
      server.request('PATCH', `${configMaps}/applied?fieldManager=${manager}${query}`, {
        type: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data },
      });

    it('are made, and lose what their manager no longer says', async () => {
      const made = await apply('one', { a: '1', b: '1' });
      assert.equal(made.status, 201);
      assert.equal(made.body.metadata.managedFields[0].manager, 'one');
      const { status, body } = await apply('one', { a: '2' });
      assert.deepEqual([status, body.data], [200, { a: '2' }]);
      const again = await apply('one', { a: '2' });
      assert.equal(again.body.metadata.resourceVersion, body.metadata.resourceVersion);
    });

    it('refuse what another manager owns, unless forced', async () => {
      const { status, body } = await apply('two', { a: '3' });
      assert.equal(status, 409);
      assert.match(body.message, /Apply failed with 1 conflict: conflict with "one": .data.a/);
      assert.equal((await apply('two', { a: '3' }, '&force=true')).body.data.a, '3');
    });

    it('know who updated them', async () => {
      const patch = { data: { a: '4' } };
      await server.request('PATCH', `${configMaps}/applied?fieldManager=hand`, {
        type: mergePatch,
        body: patch,
      });
      const { status, body } = await apply('two', { a: '5' });
      assert.equal(status, 409);
      assert.match(body.message, /conflict with "hand" using v1/);
    });
  });

  it('take every one of many patches at once', async () => {
    await server.request('POST', configMaps, { body: configMap('crowded') });
    const indexes = Array.from({ length: 20 }, (_, index) => index);
    const answers = await Promise.all(
      indexes.map((index) =>
        server.request('PATCH', `${configMaps}/crowded`, {
          type: mergePatch,
          body: { data: { [`k${index}`]: 'x' } },
        }),
      ),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const { body } = await server.request('GET', `${configMaps}/crowded`);
    assert.equal(Object.keys(body.data).length, 21);
  });

  it('are listed in pages of one snapshot', async () => {
    const path = '/api/v1/namespaces/paged/configmaps';
    await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'paged' } } });
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await server.request('POST', path, { body: configMap(name) });
    const first = await server.request('GET', `${path}?limit=2`);
    assert.equal(first.body.metadata.remainingItemCount, 3);
    await server.request('DELETE', `${path}/d`);
    await server.request('POST', path, { body: configMap('c2') });
    const names: string[] = [];
    let page = first;
    for (;;) {
      assert.equal(page.body.metadata.resourceVersion, first.body.metadata.resourceVersion);
      names.push(...page.body.items.map((item: { metadata: { name: string } }) => item.metadata.name));
      const token = page.body.metadata.continue;
      if (!token) break;
      page = await server.request('GET', `${path}?limit=2&continue=${encodeURIComponent(token)}`);
    }
    assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e']);
  });

  it('are selected by labels and fields, in pages as well', async () => {
    const path = '/api/v1/namespaces/selected/configmaps';
    await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'selected' } } });
    for (let index = 0; index < 9; index += 1) {
      await server.request('POST', path, {
        body: configMap(`n${index}`, { labels: { mod: String(index % 3) } }),
      });
    }
    const names = async (query: string) => {
      const { body } = await server.request('GET', `${path}?${query}`);
      return body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    };
    assert.deepEqual(await names('labelSelector=mod%3D1'), ['n1', 'n4', 'n7']);
    assert.deepEqual(await names('labelSelector=mod%20notin%20(0,1)&limit=2'), ['n2', 'n5']);
    assert.deepEqual(await names('fieldSelector=metadata.name%3Dn3'), ['n3']);
    assert.deepEqual(
      await names('fieldSelector=metadata.name!%3Dn3,metadata.namespace%3Dselected&labelSelector=mod%3D0'),
      ['n0', 'n6'],
    );
  });

  it('are shown as Tables and as metadata alone', async () => {
    await server.request('POST', configMaps, { body: configMap('shown') });
    const table = await server.request('GET', `${configMaps}/shown`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    });
    assert.equal(table.body.kind, 'Table');
    assert.equal(table.body.rows[0].cells[0], 'shown');
    assert.equal(table.body.rows[0].object.kind, 'PartialObjectMetadata');
    const partial = await server.request('GET', configMaps, {
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    });
    assert.equal(partial.body.kind, 'PartialObjectMetadataList');
    assert.equal(partial.body.items[0].data, undefined);
  });

  it('have no metadata of the other shape: of a list where one is asked for, and the other way round', async () => {
    await server.request('POST', configMaps, { body: configMap('shaped') });
    const ask = (path: string, as: string) =>
      server.request('GET', path, { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` });
    const list = await ask(configMaps, 'PartialObjectMetadata');
    const wrong = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'NotAcceptable',
      details: {},
    };
    assert.deepEqual(list.body, {
      ...wrong,
      message:
        'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
      code: 406,
    });
    const single = await ask(`${configMaps}/shaped`, 'PartialObjectMetadataList');
    assert.deepEqual(single.body, {
      ...wrong,
      message:
        'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
      code: 406,
    });
    assert.equal((await ask(configMaps, 'TableList')).status, 406);
  });

  it('of a kind that upstream calls deprecated come with its warning, others with none', async () => {
    const warningOf = async (method: string, path: string, body?: object) =>
      (await server.request(method, path, { body })).headers['warning'];
    const said = '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"';
    const endpoints = configMaps.replace('configmaps', 'endpoints');
    assert.equal(await warningOf('GET', endpoints), said);
    assert.equal(await warningOf('POST', endpoints, { metadata: { name: 'warned' } }), said);
    assert.equal(await warningOf('DELETE', `${endpoints}/warned`), said);
    assert.equal(await warningOf('GET', configMaps), undefined);
  });

  it('with finalizers stay until the last one is taken off', async () => {
    await server.request('POST', configMaps, {
      body: configMap('held', { finalizers: ['example.com/hold'] }),
    });
    const deleted = await server.request('DELETE', `${configMaps}/held`);
    assert.equal(deleted.status, 200);
    assert.equal(deleted.body.kind, 'ConfigMap');
    assert.ok(deleted.body.metadata.deletionTimestamp);
    assert.equal((await server.request('GET', `${configMaps}/held`)).status, 200);
    for (const query of ['', '?dryRun=All']) {
      const taken = await server.request('POST', `${configMaps}${query}`, { body: configMap('held') });
      const message = 'object is being deleted: configmaps "held" already exists';
      assert.deepEqual([taken.status, taken.body.message], [409, message]);
    }
    const freed = { metadata: { finalizers: null } };
    const last = await server.request('PATCH', `${configMaps}/held`, { type: mergePatch, body: freed });
    assert.equal(last.status, 200);
    assert.equal((await server.request('GET', `${configMaps}/held`)).status, 404);
  });

  it('answer a deletion with a Status, or with the object where upstream does', async () => {
    await server.request('POST', configMaps, { body: configMap('gone') });
    const { body } = await server.request('DELETE', `${configMaps}/gone`);
    assert.equal(body.status, 'Success');
    assert.equal(body.details.kind, 'configmaps');
    assert.equal(body.details.name, 'gone');
    await server.request('POST', `${namespace}/pods`, { body: pod('gone') });
    assert.equal((await server.request('DELETE', `${namespace}/pods/gone`)).body.kind, 'Pod');
  });

  it('are deleted only when the preconditions hold', async () => {
    const { body: created } = await server.request('POST', configMaps, { body: configMap('guarded') });
    const wrong = { preconditions: { uid: 'other' } };
    const refused = await server.request('DELETE', `${configMaps}/guarded`, { body: wrong });
    const why = `the UID in the precondition (other) does not match the UID in record (${created.metadata.uid}). The object might have been deleted and then recreated`;
    assert.deepEqual(
      [refused.status, refused.body.message, refused.body.details],
      [
        409,
        `Operation cannot be fulfilled on ConfigMap "guarded": ${why}`,
        { name: 'guarded', kind: 'ConfigMap' },
      ],
    );
    const type = 'text/plain';
    assert.equal((await server.request('DELETE', `${configMaps}/guarded`, { body: '{}', type })).status, 415);
    const right = {
      preconditions: { uid: created.metadata.uid, resourceVersion: created.metadata.resourceVersion },
    };
    assert.equal((await server.request('DELETE', `${configMaps}/guarded`, { body: right })).status, 200);
  });

  it('are deleted as a selected collection', async () => {
    for (const name of ['x1', 'x2', 'x3']) {
      await server.request('POST', configMaps, {
        body: configMap(name, { labels: { sweep: name === 'x3' ? 'no' : 'yes' } }),
      });
    }
    const { status, body } = await server.request('DELETE', `${configMaps}?labelSelector=sweep%3Dyes`);
    assert.equal(status, 200);
    assert.equal(body.items.length, 2);
    assert.equal((await server.request('GET', `${configMaps}/x1`)).status, 404);
    assert.equal((await server.request('GET', `${configMaps}/x3`)).status, 200);
  });

  it('outlive the server', async () => {
    const { body: created } = await server.request('POST', configMaps, { body: configMap('durable') });
    await server.restart();
    assert.deepEqual((await server.request('GET', `${configMaps}/durable`)).body, created);
  });

  it('of a pod get defaults, a phase, a class and tolerations', async () => {
    const { body } = await server.request('POST', `${namespace}/pods`, { body: pod('plain') });
    assert.deepEqual(body.status, { phase: 'Pending', qosClass: 'BestEffort' });
    assert.equal(body.spec.serviceAccountName, 'default');
    assert.equal(body.spec.restartPolicy, 'Always');
    assert.equal(body.spec.priority, 0);
    assert.equal(body.spec.tolerations.length, 2);
    assert.equal(body.metadata.generation, 1);
  });

  it('keep their generation when they are bound, and get a new one with an ephemeral container', async () => {
    const path = `${namespace}/pods/placed`;
    await server.request('POST', `${namespace}/pods`, { body: pod('placed') });
    const binding = { metadata: { name: 'placed' }, target: { kind: 'Node', name: 'somewhere' } };
    await server.request('POST', `${path}/binding`, { body: binding });
    assert.equal((await server.request('GET', path)).body.metadata.generation, 1);
    const debug = { name: 'debug', image: 'x', terminationMessagePolicy: 'File' };
    const patched = await server.request('PATCH', `${path}/ephemeralcontainers`, {
      body: { spec: { ephemeralContainers: [debug] } },
      headers: { 'content-type': 'application/strategic-merge-patch+json' },
    });
    assert.equal(patched.body.metadata.generation, 2);
  });

  it('of a running pod are deleted with grace, and only faster the second time', async () => {
    const path = `${namespace}/pods/graceful`;
    await server.request('POST', `${namespace}/pods`, { body: pod('graceful') });
    const binding = { metadata: { name: 'graceful' }, target: { kind: 'Node', name: 'somewhere' } };
    const bound = await server.request('POST', `${path}/binding`, { body: binding });
    assert.equal(bound.status, 201);
    const first = await server.request('DELETE', path);
    assert.equal(first.body.metadata.deletionGracePeriodSeconds, 30);
    const second = await server.request('DELETE', path, { body: { gracePeriodSeconds: 60 } });
    assert.equal(second.body.metadata.deletionGracePeriodSeconds, 30);
    const third = await server.request('DELETE', path, { body: { gracePeriodSeconds: 5 } });
    assert.equal(third.body.metadata.deletionGracePeriodSeconds, 5);
    assert.equal(
      Date.parse(first.body.metadata.deletionTimestamp) - Date.parse(third.body.metadata.deletionTimestamp),
      25_000,
    );
    assert.equal((await server.request('GET', path)).status, 200);
    await server.request('DELETE', path, { body: { gracePeriodSeconds: 0 } });
    assert.equal((await server.request('GET', path)).status, 404);
  });

  it('of a pod are bound once', async () => {
    await server.request('POST', `${namespace}/pods`, { body: pod('bound') });
    const binding = (name: string) => ({ metadata: { name: 'bound' }, target: { kind: 'Node', name } });
    for (const [what, kind] of [
      ['binding', 'Binding'],
      ['eviction', 'Eviction'],
    ]) {
      const to = `${namespace}/pods/bound/${what}`;
      const target = { kind: 'Node', name: 'one' };
      const nameless = await server.request('POST', to, { body: { target } });
      assert.deepEqual(
        [nameless.status, nameless.body.message],
        [400, `name in URL does not match name in ${kind} object`],
      );
      const elsewhere = { metadata: { name: 'bound', namespace: 'other' }, target };
      assert.equal((await server.request('POST', to, { body: elsewhere })).status, 400);
    }
    await server.request('POST', `${namespace}/pods/bound/binding`, { body: binding('one') });
    const { status, body } = await server.request('POST', `${namespace}/pods/bound/binding`, {
      body: binding('two'),
    });
    assert.equal(status, 409);
    assert.match(body.message, /pod bound is already assigned to node "one"/);
    const { body: read } = await server.request('GET', `${namespace}/pods/bound`);
    assert.equal(read.spec.nodeName, 'one');
    assert.equal(read.status.conditions[0].type, 'PodScheduled');
  });

  it('of a pod are bound as they were when somebody chose their node, and say so at its place', async () => {
    const { body: made } = await server.request('POST', `${namespace}/pods`, { body: pod('chosen') });
    const { uid, resourceVersion } = made.metadata;
    const conditions = [
      { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no' },
      { type: 'Own', status: 'True' },
    ];
    await server.request('PATCH', `${namespace}/pods/chosen/status`, {
      type: mergePatch,
      body: { status: { conditions } },
    });
    const bind = (metadata: object) =>
      server.request('POST', `${namespace}/pods/chosen/binding`, {
        body: { metadata: { name: 'chosen', ...metadata }, target: { kind: 'Node', name: 'one' } },
      });
    const stale = await bind({ uid, resourceVersion });
    assert.equal(stale.status, 409);
    assert.match(stale.body.message, /Precondition failed: ResourceVersion in precondition/);
    assert.equal((await bind({ uid: 'other' })).status, 409);
    assert.equal((await bind({ uid })).status, 201);
    const { body: read } = await server.request('GET', `${namespace}/pods/chosen`);
    const [scheduled, own] = read.status.conditions;
    assert.deepEqual(
      [scheduled.type, scheduled.status, scheduled.reason],
      ['PodScheduled', 'True', undefined],
    );
    assert.equal(own.type, 'Own');
    await server.request('DELETE', `${namespace}/pods/chosen`, { body: { gracePeriodSeconds: 0 } });
  });

  it('keep a generation that nobody counts as their writer says it, and count the others from 1', async () => {
    const post = async (plural: string, body: object) =>
      (await server.request('POST', `${namespace}/${plural}`, { body })).body.metadata.generation;
    assert.equal(await post('configmaps', { metadata: { name: 'counted', generation: 7 } }), 7);
    assert.equal(await post('configmaps', { metadata: { name: 'uncounted' } }), undefined);
    const counted = pod('counted');
    Object.assign(counted.metadata, { generation: 7 });
    assert.equal(await post('pods', counted), 1);
  });

  it('of a pod keep its class, and who says another one is refused', async () => {
    const path = `${namespace}/pods/classed/status`;
    await server.request('POST', `${namespace}/pods`, { body: pod('classed') });
    const tell = (qosClass: string | null) =>
      server.request('PATCH', path, { type: mergePatch, body: { status: { qosClass } } });
    assert.equal((await tell(null)).body.status.qosClass, 'BestEffort');
    const refused = await tell('Guaranteed');
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /status\.qosClass: .*field is immutable/);
  });

  it('of a pod lose gates, and get none', async () => {
    const gated = pod('gated');
    Object.assign(gated.spec, { schedulingGates: [{ name: 'a' }, { name: 'b' }] });
    await server.request('POST', `${namespace}/pods`, { body: gated });
    const set = (names: string[]) =>
      server.request('PATCH', `${namespace}/pods/gated`, {
        type: mergePatch,
        body: { spec: { schedulingGates: names.map((name) => ({ name })) } },
      });
    assert.equal((await set(['b'])).status, 200);
    const refused = await set(['b', 'a']);
    assert.equal(refused.status, 422);
    const why = "only deletion is allowed, but found new scheduling gate 'a'";
    assert.match(refused.body.message, new RegExp(`spec\\.schedulingGates\\[1\\]\\.name: Forbidden: ${why}`));
  });

  it('of status and of spec change apart', async () => {
    const path = `${namespace}/pods/parts`;
    await server.request('POST', `${namespace}/pods`, { body: pod('parts') });
    const both = { spec: { activeDeadlineSeconds: 5 }, status: { phase: 'Running' } };
    const status = await server.request('PATCH', `${path}/status`, { type: mergePatch, body: both });
    assert.equal(status.body.status.phase, 'Running');
    assert.equal(status.body.spec.activeDeadlineSeconds, undefined);
    const spec = await server.request('PATCH', path, {
      type: mergePatch,
      body: { ...both, status: { phase: 'Failed' } },
    });
    assert.equal(spec.body.spec.activeDeadlineSeconds, 5);
    assert.equal(spec.body.status.phase, 'Running');
    assert.equal(spec.body.metadata.generation, 2);
  });

  it('of a pod take ephemeral containers through their sub-resource alone', async () => {
    const path = `${namespace}/pods/tuned`;
    await server.request('POST', `${namespace}/pods`, { body: pod('tuned') });
    const type = 'application/strategic-merge-patch+json';
    const debug = { spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] } };
    assert.equal((await server.request('PATCH', path, { type, body: debug })).status, 422);
    const added = await server.request('PATCH', `${path}/ephemeralcontainers`, { type, body: debug });
    assert.equal(added.body.spec.ephemeralContainers[0].name, 'debug', added.text);
    const changed = { spec: { ephemeralContainers: [{ name: 'debug', image: 'other' }] } };
    const refused = await server.request('PATCH', `${path}/ephemeralcontainers`, { type, body: changed });
    assert.equal(refused.status, 422, refused.text);
  });

  describe('of a pod’s resources go through its resize', () => {
    const type = 'application/strategic-merge-patch+json';
    const amounts = (cpu: string, memory = '64Mi') => ({
      requests: { cpu, memory },
      limits: { cpu: '2', memory: '128Mi' },
    });
    const patch = (name: string, spec: object) =>
      server.request('PATCH', `${namespace}/pods/${name}/resize`, { type, body: { spec } });
    const patchMain = (name: string, resources: object) =>
      patch(name, { containers: [{ name: 'main', resources }] });
    const create = (name: string, more: object = {}) => {
      const sized = pod(name);
      const [main] = sized.spec.containers;
      const spec = { ...sized.spec, containers: [{ ...main, resources: amounts('250m') }], ...more };
      return server.request('POST', `${namespace}/pods`, { body: { ...sized, spec } });
    };

    it('alone, which leaves all else as it is and counts as a new generation', async () => {
      const { body: made } = await create('sized');
      const containers = [{ name: 'main', image: 'other', resources: amounts('500m') }];
      const plain = { type, body: { spec: { containers: [containers[0]] } } };
      assert.equal((await server.request('PATCH', `${namespace}/pods/sized`, plain)).status, 422);
      const resized = await server.request('PATCH', `${namespace}/pods/sized/resize`, {
        type,
        body: { metadata: { labels: { added: 'no' } }, spec: { nodeName: 'elsewhere', containers } },
      });
      assert.equal(resized.status, 200, resized.text);
      const { spec, metadata } = resized.body;
      assert.equal(spec.containers[0].resources.requests.cpu, '500m');
      assert.equal(spec.containers[0].image, made.spec.containers[0].image);
      assert.equal(spec.nodeName, undefined);
      assert.deepEqual(metadata.labels, made.metadata.labels);
      assert.equal(metadata.generation, made.metadata.generation + 1);
      const again = await patchMain('sized', amounts('500m'));
      assert.equal(again.body.metadata.generation, metadata.generation);
    });

    for (const [what, resources, why] of [
      ['another class', { limits: { cpu: '250m', memory: '64Mi' } }, 'Pod QOS Class may not change'],
      ['a removed limit', { limits: { memory: null } }, 'resource limits cannot be removed'],
      [
        'other resources',
        { limits: { 'ephemeral-storage': '1Gi' } },
        'only cpu and memory resources are mutable',
      ],
    ] as const) {
      it(`but not to ${what}`, async () => {
        const name = `not-${what.replaceAll(' ', '-')}`;
        await create(name);
        const refused = await patchMain(name, resources);
        assert.equal(refused.status, 422, refused.text);
        assert.ok(refused.body.message.includes(why), refused.body.message);
      });
    }

    it('but adds no containers', async () => {
      await create('alone');
      const refused = await patch('alone', { containers: [{ name: 'more', image: 'busybox' }] });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.body.message, /containers may not be added or removed on resize/);
    });

    it('but not to more than the pod’s node has', async () => {
      const allocatable = { cpu: '1', memory: '1Gi' };
      const node = { metadata: { name: 'small' }, status: { allocatable } };
      assert.equal((await server.request('POST', '/api/v1/nodes', { body: node })).status, 201);
      await create('housed', { nodeName: 'small' });
      const refused = await patchMain('housed', amounts('1500m'));
      assert.equal(refused.status, 403, refused.text);
      assert.match(refused.body.message, /allocatable resources: cpu, requested: 1500, allocatable: 1000/);
      assert.deepEqual(refused.body.details.causes, [{ reason: 'NodeCapacity' }]);
      assert.equal((await patchMain('housed', amounts('1'))).status, 200);
    });

    it('and only if a running container would feel it: its node tells what it has', async () => {
      await create('deaf');
      const facts = { ready: true, restartCount: 0, image: '', imageID: '' };
      const containerStatuses = [{ name: 'main', ...facts, state: { running: {} } }];
      const status = { status: { containerStatuses } };
      const told = await server.request('PATCH', `${namespace}/pods/deaf/status`, { type, body: status });
      assert.equal(told.status, 200, told.text);
      const refused = await patchMain('deaf', amounts('500m'));
      assert.match(refused.body.message, /Pod running on node without support for resize/);
    });
  });

  it('of a namespace go when finalize finds it empty, and take no new content before', async () => {
    const path = '/api/v1/namespaces/leaving';
    await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'leaving' } } });
    const { body: leaving } = await server.request('DELETE', path);
    assert.equal(leaving.status.phase, 'Terminating');
    const refused = await server.request('POST', `${path}/configmaps`, { body: configMap('late') });
    assert.equal(refused.status, 403);
    assert.equal(refused.body.details.causes[0].reason, 'NamespaceTerminating');
    const odd = { ...leaving, spec: { finalizers: ['odd'] } };
    const unfinal = await server.request('PUT', `${path}/finalize`, { body: odd });
    assert.deepEqual(
      [unfinal.status, unfinal.body.details.causes[0].field],
      [422, 'spec.finalizers[0]'],
      unfinal.text,
    );
    const finalized = { ...leaving, spec: { finalizers: [] } };
    assert.equal((await server.request('PUT', `${path}/finalize`, { body: finalized })).status, 200);
    assert.equal((await server.request('GET', path)).status, 404);
  });

  it('of a service get a cluster IP of their own and keep it', async () => {
    const body = { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], selector: { a: 'b' } } };
    const { body: created } = await server.request('POST', `${namespace}/services`, { body });
    assert.match(created.spec.clusterIP, /^10\.96\.\d+\.\d+$/);
    const { body: replaced } = await server.request('PUT', `${namespace}/services/web`, { body });
    assert.equal(replaced.spec.clusterIP, created.spec.clusterIP);
  });

  it('of a secret fold stringData into data', async () => {
    const body = { metadata: { name: 'plain' }, data: { a: 'YQ==' }, stringData: { b: 'b' } };
    const { body: created } = await server.request('POST', `${namespace}/secrets`, { body });
    assert.deepEqual(created.data, { a: 'YQ==', b: 'Yg==' });
    assert.equal(created.stringData, undefined);
    const patch = { stringData: { a: 'c' } };
    const { body: patched } = await server.request('PATCH', `${namespace}/secrets/plain`, {
      type: mergePatch,
      body: patch,
    });
    assert.deepEqual(patched.data, { a: 'Yw==', b: 'Yg==' });
  });

  it('of a protobuf body are the same as of a JSON body', async () => {
    const json = await server.request('GET', `${configMaps}/first`);
    const protobuf = 'application/vnd.kubernetes.protobuf';
    const { decodeProtobuf, encodeProtobuf } = await import('@wherry/kubeapi');
    const bytes = encodeProtobuf(configMap('binary'));
    const created = await server.request('POST', configMaps, { body: bytes, type: protobuf });
    assert.equal(created.status, 201);
    assert.deepEqual(created.body.data, json.body.data);
    const raw = await server.request('GET', `${configMaps}/binary`, { accept: protobuf });
    assert.equal(raw.headers['content-type'], protobuf);
    assert.equal((decodeProtobuf(raw.bytes) as { data: { key: string } }).data.key, 'value');
  });
});
