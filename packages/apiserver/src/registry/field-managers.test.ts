import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TestCollection } from '../../test/test-collection.ts';
import { managerName } from './field-managers.ts';
import { readPatch } from './patches.ts';
import { createObject, patchObject } from './writes.ts';

const apply = { 'content-type': 'application/apply-patch+yaml' };
const merge = { 'content-type': 'application/merge-patch+json' };

describe('server-side apply', () => {
  let configMaps: TestCollection;
  beforeEach(() => {
    configMaps = new TestCollection('configmaps');
  });
  afterEach(() => configMaps.close());

  const send = async (headers: Record<string, string>, query: string, value: object) => {
    const request = configMaps.request('PATCH', `/a?${query}`, value, headers);
    return patchObject(
      configMaps.collection,
      request,
      await readPatch(request, configMaps.collection.resource.type),
    );
  };
  const applied = (manager: string, data: object, more = '') =>
    send(apply, `fieldManager=${manager}${more}`, {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      data,
    });
  const managersOf = ({ snapshot }: Awaited<ReturnType<typeof send>>) =>
    (snapshot.object.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`);

  it('creates what is not there, and writes down whose the fields are', async () => {
    const written = await applied('one', { a: '1' });
    assert.equal(written.code, 201);
    assert.deepEqual(managersOf(written), ['one Apply']);
  });

  it('refuses a field of another manager, unless forced, which takes it over', async () => {
    await applied('one', { a: '1' });
    await assert.rejects(applied('two', { a: '2' }), { code: 409, message: /conflict with "one"/ });
    const forced = await applied('two', { a: '2' }, '&force=true');
    assert.deepEqual(forced.snapshot.object['data'], { a: '2' });
    assert.deepEqual(managersOf(forced).includes('two Apply'), true);
  });

  it('writes nothing where all that it says is there already, in other fields', async () => {
    const secrets = new TestCollection('secrets');
    try {
      const config = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, stringData: { x: 's' } };
      const write = async () => {
        const request = secrets.request('PATCH', '/a?fieldManager=one', config, apply);
        const patch = await readPatch(request, secrets.collection.resource.type);
        const { snapshot } = await patchObject(secrets.collection, request, patch);
        return snapshot.object.metadata.resourceVersion;
      };
      const first = await write();
      secrets.clock.advance(2_000);
      assert.equal(await write(), first);
    } finally {
      secrets.close();
    }
  });

  it('shares a field that two managers want alike', async () => {
    await applied('one', { a: '1' });
    // Who changes nothing has no time, and so stands before the others.
    assert.deepEqual(managersOf(await applied('two', { a: '1' })), ['two Apply', 'one Apply']);
  });

  it('removes a field that its only manager leaves out', async () => {
    await applied('one', { a: '1', b: '2' });
    const { snapshot } = await applied('one', { a: '1' });
    assert.deepEqual(snapshot.object['data'], { a: '1' });
  });

  it('counts what an update changes as the updater’s', async () => {
    await applied('one', { a: '1' });
    const updated = await send(merge, 'fieldManager=editor', { data: { b: '2' } });
    assert.deepEqual(managersOf(updated), ['one Apply', 'editor Update']);
  });

  it('writes down whose the fields are from the first write on, whatever the verb', async () => {
    const pods = new TestCollection('pods');
    const { collection } = pods;
    const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'main', image: 'x' }] } };
    const agent = { 'content-type': 'application/json', 'user-agent': 'maker/v1' };
    await createObject(collection, pods.request('POST', '', pod, agent));
    const status = { status: { phase: 'Running' } };
    const told = pods.request('PATCH', '/a/status?fieldManager=teller', status, merge);
    const { snapshot } = await patchObject(
      collection,
      told,
      await readPatch(told, pods.collection.resource.type),
    );
    const entries = (snapshot.object.metadata.managedFields ?? []).map(
      ({ manager, operation, subresource, fieldsV1 }) => [
        manager,
        operation,
        subresource,
        Object.keys(fieldsV1 ?? {}),
      ],
    );
    assert.deepEqual(entries, [
      ['maker', 'Update', undefined, ['f:spec']],
      ['teller', 'Update', 'status', ['f:status']],
    ]);
    await pods.close();
  });

  it('lets kubectl take over what it applied itself by its annotation, and nobody changed since', async () => {
    const annotations = (text: string) => ({ 'kubectl.kubernetes.io/last-applied-configuration': text });
    const config = {
      ...{ apiVersion: 'v1', kind: 'ConfigMap' },
      metadata: { name: 'a' },
      data: { a: '1', b: '1' },
    };
    const metadata = { name: 'a', annotations: annotations(JSON.stringify(config)) };
    const object = { ...config, metadata };
    const query = '?fieldManager=kubectl-client-side-apply';
    await createObject(configMaps.collection, configMaps.request('POST', query, object));
    await assert.rejects(applied('other', { a: '2', b: '1' }), {
      code: 409,
      message: /kubectl-client-side-apply/,
    });
    const { snapshot } = await applied('kubectl', { a: '2', b: '1' });
    assert.deepEqual(snapshot.object['data'], { a: '2', b: '1' });
    const kept = snapshot.object.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'];
    assert.deepEqual(JSON.parse(kept ?? '').data, { a: '2', b: '1' });
    await send(merge, 'fieldManager=editor', { data: { b: '9' } });
    await assert.rejects(applied('kubectl', { a: '2', b: '3' }), {
      code: 409,
      message: /conflict with "editor"/,
    });
  });

  it('forgets whose the fields are when a client empties the list, by whichever patch', async () => {
    for (const managedFields of [[], [{}]]) {
      assert.notEqual(managersOf(await applied('one', { a: '1' }, '&force=true')).length, 0);
      const emptied = await send(merge, 'fieldManager=two', { metadata: { managedFields } });
      assert.equal(emptied.snapshot.object.metadata.managedFields, undefined);
    }
    await applied('one', { a: '1' }, '&force=true');
    const kept = await send(merge, 'fieldManager=two', { metadata: { managedFields: null } });
    assert.ok(managersOf(kept).includes('one Apply'), 'who leaves it out keeps them');
  });

  it('names a manager that names none after the first part of its User-Agent', () => {
    const named = (query: string, agent: string) =>
      managerName(configMaps.request('PATCH', `/a${query}`, {}, { 'user-agent': agent }));
    assert.equal(named('', 'kubectl/v1.36 (linux)'), 'kubectl');
    assert.equal(named('?fieldManager=me', 'kubectl/v1.36'), 'me');
    assert.equal(named('', ''), 'unknown');
  });
});
