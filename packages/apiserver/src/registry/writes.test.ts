import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TestCollection } from '../../test/test-collection.ts';
import type { AdmissionRequest, AdmissionRule } from '../admission/admission.ts';
import { createObject, deleteObject, patchObject, replaceObject } from './writes.ts';

const handles: AdmissionRule[] = [{ operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['/configmaps'] }];
const configMap = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data });

describe('a write', () => {
  let configMaps: TestCollection;
  let admitted: AdmissionRequest[];
  let interfere: (() => Promise<void>) | undefined;
  beforeEach(() => {
    admitted = [];
    interfere = undefined;
    const admit = async (request: AdmissionRequest) => {
      admitted.push(request);
      const act = interfere;
      interfere = undefined;
      await act?.();
    };
    configMaps = new TestCollection('configmaps', { admission: [{ name: 'test', handles, admit }] });
  });
  afterEach(() => configMaps.close());

  const create = (object: object, query = '') =>
    createObject(configMaps.collection, configMaps.request('POST', query, object));
  const replace = (name: string, object: object, query = '') =>
    replaceObject(configMaps.collection, configMaps.request('PUT', `/${name}${query}`, object));
  const merge = (name: string, value: object) =>
    patchObject(
      configMaps.collection,
      configMaps.request('PATCH', `/${name}`, undefined, { 'content-type': 'application/merge-patch+json' }),
      { type: 'merge', value: value as never, duplicates: [] },
    );
  const remove = (name: string, options?: object, query = '') =>
    deleteObject(configMaps.collection, configMaps.request('DELETE', `/${name}${query}`, options));
  const stored = async (name: string) =>
    (await configMaps.collection.storage.find({ namespace: 'default', name }))?.object;

  it('creates with an identity that clients can’t choose', async () => {
    const metadata = { name: 'a', uid: 'mine', creationTimestamp: '1999-01-01T00:00:00Z', selfLink: '/x' };
    const { code, snapshot } = await create({ metadata });
    assert.equal(code, 201);
    const { uid, creationTimestamp, selfLink, resourceVersion, namespace } = snapshot.object.metadata;
    assert.match(uid ?? '', /^[0-9a-f]{8}-/);
    assert.notEqual(creationTimestamp, metadata.creationTimestamp);
    assert.deepEqual([selfLink, resourceVersion, namespace], [undefined, '2', 'default']);
  });

  it('creates what says a version that is no number', async () => {
    for (const resourceVersion of ['0', '', 'x'])
      assert.equal((await create({ metadata: { generateName: 'g-', resourceVersion } })).code, 201);
    await assert.rejects(create({ metadata: { name: 'a', resourceVersion: '12' } }), {
      code: 400,
      message: 'resourceVersion should not be set on objects to be created',
    });
  });

  it('answers 202 to who wants the dependents gone first of what finalizers keep', async () => {
    const metadata = { generateName: 'g-', finalizers: ['example.com/kept'] };
    const codeOf = async (options?: object) => {
      const { name = '' } = (await create({ metadata })).snapshot.object.metadata;
      return (await remove(name, options)).code;
    };
    assert.equal(await codeOf({ orphanDependents: false }), 202);
    assert.equal(await codeOf({ orphanDependents: true }), 200);
    assert.equal(await codeOf({ propagationPolicy: 'Foreground' }), 200);
    await create(configMap('a'));
    assert.equal((await remove('a', { orphanDependents: false })).code, 200);
  });

  it('creates a name only once, and of a generated name another one', async () => {
    await create(configMap('a'));
    await assert.rejects(create(configMap('a')), { code: 409, reason: 'AlreadyExists' });
    const names = await Promise.all(
      [1, 2].map(
        async () => (await create({ metadata: { generateName: 'g-' } })).snapshot.object.metadata.name,
      ),
    );
    assert.notEqual(names[0], names[1]);
    for (const name of names) assert.match(name ?? '', /^g-[a-z0-9]{5}$/);
  });

  it('refuses an object for another namespace or another name than the path’s', async () => {
    await assert.rejects(create({ metadata: { name: 'a', namespace: 'other' } }), { code: 400 });
    await create(configMap('a'));
    await assert.rejects(replace('a', configMap('b')), { code: 400 });
  });

  it('replaces what the client has seen, and nothing newer', async () => {
    const { snapshot } = await create(configMap('a', { n: '1' }));
    const seen = snapshot.read();
    await replace('a', { ...seen, data: { n: '2' } });
    await assert.rejects(replace('a', { ...seen, data: { n: '3' } }), { code: 409, reason: 'Conflict' });
    assert.deepEqual((await stored('a'))?.['data'], { n: '2' });
    await replace('a', configMap('a', { n: '4' }));
    assert.deepEqual((await stored('a'))?.['data'], { n: '4' }, 'without a version the last one wins');
  });

  it('on old news is late before it is wrong', async () => {
    const { snapshot } = await create({ ...configMap('a', { n: '1' }), immutable: false });
    const seen = snapshot.read();
    await merge('a', { immutable: true });
    await assert.rejects(replace('a', { ...seen, data: { n: '2' } }), { code: 409, reason: 'Conflict' });
  });

  it('on old news does not take away what is kept since', async () => {
    const { snapshot } = await create(configMap('a'));
    const seen = snapshot.read();
    await remove('a', { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground' });
    await assert.rejects(replace('a', { ...seen, data: { n: '2' } }), { code: 409, reason: 'Conflict' });
    assert.deepEqual((await stored('a'))?.metadata.finalizers, ['foregroundDeletion']);
  });

  it('deletes nothing but the object and the version that its query names', async () => {
    const { snapshot } = await create(configMap('a'));
    const { uid, resourceVersion } = snapshot.object.metadata;
    for (const query of ['?uid=other', '?resourceVersion=1', `?uid=${uid}&resourceVersion=1`])
      await assert.rejects(remove('a', undefined, query), { code: 409, reason: 'Conflict' }, query);
    await remove('a', undefined, `?uid=${uid}&resourceVersion=${resourceVersion}`);
    assert.equal(await stored('a'), undefined);
  });

  it('that changes nothing writes nothing', async () => {
    const { snapshot } = await create(configMap('a', { n: '1' }));
    const again = await replace('a', configMap('a', { n: '1' }));
    assert.equal(again.snapshot.object.metadata.resourceVersion, snapshot.object.metadata.resourceVersion);
  });

  it('refuses an update of another object under the same name', async () => {
    await create(configMap('a'));
    const metadata = { name: 'a', uid: 'another' };
    await assert.rejects(replace('a', { metadata }), { code: 409, message: /Precondition failed: UID/ });
    await assert.rejects(replace('none', configMap('none')), { code: 404 });
  });

  it('refuses to make an object anew that its writer has seen and that has gone since', async () => {
    const leases = new TestCollection('leases', { group: 'coordination.k8s.io' });
    const put = (metadata: object) =>
      replaceObject(leases.collection, leases.request('PUT', '/l', { metadata: { name: 'l', ...metadata } }));
    await assert.rejects(put({ uid: 'u', resourceVersion: '5' }), {
      code: 409,
      message: /Key: .*leases.*UID in precondition: u, UID in object meta: $/,
    });
    assert.equal((await put({ resourceVersion: '5' })).code, 201);
    await leases.close();
  });

  it('of a name that is taken tells who asked for a generated one, too, that there is none', async () => {
    await create(configMap('a'));
    const message = /the server was not able to generate a unique name for the object$/;
    await assert.rejects(create({ metadata: { name: 'a', generateName: 'g-' } }), { code: 409, message });
  });

  it('refuses what a deletion alone may say', async () => {
    await create(configMap('a'));
    for (const [field, value] of [
      ['deletionTimestamp', '2026-01-01T00:00:00Z'],
      ['deletionGracePeriodSeconds', 3],
    ] as const) {
      const metadata = { name: 'a', [field]: value };
      const message = new RegExp(`metadata.${field}: Invalid value: .*: field is immutable`);
      await assert.rejects(replace('a', { metadata }), { code: 422, message });
      await assert.rejects(merge('a', { metadata }), { code: 422, message });
    }
    const message = /metadata.uid: Invalid value: "other": field is immutable/;
    await assert.rejects(merge('a', { metadata: { uid: 'other' } }), { code: 422, message });
  });

  it('that meets another one in between is made anew on what is there', async () => {
    await create(configMap('a', { one: '1' }));
    interfere = async () => {
      await merge('a', { data: { two: '2' } });
    };
    await merge('a', { data: { three: '3' } });
    assert.deepEqual((await stored('a'))?.['data'], { one: '1', two: '2', three: '3' });
  });

  it('refuses an object that does not say the name of the path', async () => {
    await create(configMap('a'));
    const refusal = { code: 400, message: /a based on URL\) was undeterminable: name must be provided/ };
    await assert.rejects(replace('a', { data: { n: '2' } }), refusal);
    await assert.rejects(merge('a', { metadata: { name: null } }), refusal);
  });

  const apply = (name: string, config: object, manager = 'tester') =>
    patchObject(
      configMaps.collection,
      configMaps.request('PATCH', `/${name}?fieldManager=${manager}`, undefined, {
        'content-type': 'application/apply-patch+yaml',
      }),
      { type: 'apply', value: config as never, duplicates: [] },
    );
  const applied = (name: string, data: Record<string, string>, more: object = {}) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data },
    metadata: { name, ...more },
  });

  it('by apply that somebody else’s creation overtakes is a change of what that one made', async () => {
    interfere = async () => {
      await create(configMap('a', { one: '1' }));
    };
    const { code } = await apply('a', applied('a', { two: '2' }));
    assert.equal(code, 200);
    assert.deepEqual((await stored('a'))?.['data'], { one: '1', two: '2' });
  });

  it('by apply for an object that is gone makes no other one', async () => {
    const message = /uid mismatch: the provided object specified uid gone, and no existing object was found/;
    await assert.rejects(apply('a', applied('a', {}, { uid: 'gone' })), { code: 409, message });
    assert.equal(await stored('a'), undefined);
  });

  it('by apply says what it is about', async () => {
    const of = (apiVersion: unknown, kind: unknown) => apply('a', { ...applied('a', {}), apiVersion, kind });
    const message = 'invalid object type: /v1, Kind=Secret';
    await assert.rejects(of('v1', 'Secret'), { code: 400, message });
    await assert.rejects(of(undefined, undefined), { code: 400, message: 'invalid object type: /, Kind=' });
    await assert.rejects(of('v2', 'ConfigMap'), { code: 400 });
    assert.equal((await of('v1', 'ConfigMap')).code, 201);
  });

  it('keeps an owner that is told twice once, and says so', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: 'u1' };
    const other = { ...owner, name: 'other' };
    const object = { metadata: { name: 'a', ownerReferences: [owner, other, owner] } };
    const request = configMaps.request('POST', '', object);
    const { snapshot } = await createObject(configMaps.collection, request);
    assert.deepEqual(snapshot.object.metadata.ownerReferences, [owner, other]);
    assert.equal(request.warnings.length, 1);
    assert.match(request.warnings[0]!, /duplicate entries; .*; duplicate UID\(s\) observed: u1$/);
    const twice = { metadata: { ownerReferences: [owner, other, other] } };
    const patch = configMaps.request('PATCH', '/a', undefined, {});
    await patchObject(configMaps.collection, patch, { type: 'merge', value: twice as never, duplicates: [] });
    assert.match(patch.warnings[0]!, /duplicate entries after mutating admission happens; /);
    assert.deepEqual((await stored('a'))?.metadata.ownerReferences, [owner, other]);
  });

  it('of an object without fields has no list of managers', async () => {
    const { snapshot } = await create({ metadata: { name: 'a' } });
    assert.equal('managedFields' in snapshot.object.metadata, false);
  });

  it('is refused by a manager whose name can’t be printed, or has too many bytes', async () => {
    const by = (name: string) => create(configMap('a'), `?fieldManager=${encodeURIComponent(name)}`);
    const message = /fieldManager: Invalid value: .*: invalid character U\+0007 \(at position 2\)/;
    await assert.rejects(by('é\u0007'), { code: 422, message });
    await assert.rejects(by('é'.repeat(65)), { code: 422, message: /fieldManager: Too long/ });
    assert.equal((await by('é'.repeat(64))).code, 201);
  });

  it('for trial is admitted and answered, and stores nothing', async () => {
    const { snapshot } = await create(configMap('a'), '?dryRun=All');
    assert.equal(snapshot.object.metadata.name, 'a');
    assert.equal(admitted[0]?.dryRun, true);
    assert.equal(await stored('a'), undefined);
    await create(configMap('a', { n: '1' }));
    await replace('a', configMap('a', { n: '2' }), '?dryRun=All');
    assert.deepEqual((await stored('a'))?.['data'], { n: '1' });
    await remove('a', { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] });
    assert.ok(await stored('a'));
    await assert.rejects(create(configMap('b'), '?dryRun=Some'), { code: 422 });
  });

  it('deletes only what its preconditions name', async () => {
    const { snapshot } = await create(configMap('a'));
    const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
    const { uid, resourceVersion } = snapshot.object.metadata;
    for (const preconditions of [{ uid: 'another' }, { uid, resourceVersion: '1' }])
      await assert.rejects(remove('a', { ...options, preconditions }), { code: 409 });
    const { removed } = await remove('a', { ...options, preconditions: { uid, resourceVersion } });
    assert.equal(removed, true);
    await assert.rejects(remove('a'), { code: 404 });
  });

  it('lets an object go when its last finalizer is taken off it', async () => {
    await create({ metadata: { name: 'a', finalizers: ['example.com/x'] } });
    const { removed, snapshot } = await remove('a');
    assert.equal(removed, false);
    assert.ok(snapshot.object.metadata.deletionTimestamp);
    await merge('a', { metadata: { deletionTimestamp: null } });
    assert.ok((await stored('a'))?.metadata.deletionTimestamp, 'a deletion is not called off');
    await merge('a', { metadata: { finalizers: null } });
    assert.equal(await stored('a'), undefined);
  });

  it('asks admission about every change, with what was there', async () => {
    await create(configMap('a', { n: '1' }));
    await replace('a', configMap('a', { n: '2' }));
    await remove('a');
    assert.deepEqual(
      admitted.map(({ operation, previous, object }) => [operation, previous?.['data'], object?.['data']]),
      [
        ['CREATE', undefined, { n: '1' }],
        ['UPDATE', { n: '1' }, { n: '2' }],
        ['DELETE', { n: '2' }, undefined],
      ],
    );
  });
});
