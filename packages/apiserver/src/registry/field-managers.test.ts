import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { TestCollection } from '../../test/test-collection.ts';
import { managerName } from './field-managers.ts';
import { readPatch } from './patches.ts';
import { patchObject } from './writes.ts';

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
    return patchObject(configMaps.collection, request, await readPatch(request));
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

  it('shares a field that two managers want alike', async () => {
    await applied('one', { a: '1' });
    assert.deepEqual(managersOf(await applied('two', { a: '1' })), ['one Apply', 'two Apply']);
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

  it('names a manager that names none after the first part of its User-Agent', () => {
    const named = (query: string, agent: string) =>
      managerName(configMaps.request('PATCH', `/a${query}`, {}, { 'user-agent': agent }));
    assert.equal(named('', 'kubectl/v1.36 (linux)'), 'kubectl');
    assert.equal(named('?fieldManager=me', 'kubectl/v1.36'), 'me');
    assert.equal(named('', ''), 'unknown');
  });
});
