import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { JsonValue } from '@wherry/kubeapi';
import { TestEndpoint } from '../../test/test-endpoint.ts';
import { type PatchType, readPatch } from './patches.ts';
import { createObject, patchObject } from './writes.ts';

const types: Record<PatchType, string> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};
const container = (name: string, image: string) => ({ name, image });

describe('a patch', () => {
  let pods: TestEndpoint;
  beforeEach(async () => {
    pods = new TestEndpoint('pods');
    const metadata = { name: 'p', labels: { a: '1' } };
    const containers = [container('one', 'example.com/1'), container('two', 'example.com/2')];
    await createObject(pods.endpoint, pods.request('POST', '', { metadata, spec: { containers } }));
  });
  afterEach(() => pods.close());

  const patch = async (type: PatchType, value: JsonValue, query = '') => {
    const request = pods.request('PATCH', `/p${query}`, value, { 'content-type': types[type] });
    const written = await patchObject(pods.endpoint, request, await readPatch(request));
    return { object: written.snapshot.object, warnings: request.warnings };
  };
  const images = ({ object }: Awaited<ReturnType<typeof patch>>) =>
    (object.spec!['containers'] as { name: string; image: string }[]).map(({ image }) => image);

  it('in strategic form merges lists by their key', async () => {
    const patched = await patch('strategic', { spec: { containers: [container('two', 'example.com/3')] } });
    assert.deepEqual(images(patched), ['example.com/1', 'example.com/3']);
  });

  it('in merge form replaces lists and drops what is null', async () => {
    const { object } = await patch('merge', { metadata: { labels: { a: null, b: '2' } } });
    assert.deepEqual(object.metadata.labels, { b: '2' });
    const containers = [container('one', 'example.com/4'), container('two', 'example.com/2')];
    assert.deepEqual(images(await patch('merge', { spec: { containers } })), [
      'example.com/4',
      'example.com/2',
    ]);
  });

  it('in JSON form runs its operations, and none of them when a test fails', async () => {
    const path = '/spec/containers/0/image';
    const replaced = await patch('json', [{ op: 'replace', path, value: 'example.com/5' }]);
    assert.deepEqual(images(replaced), ['example.com/5', 'example.com/2']);
    const failing = [
      { op: 'replace', path, value: 'example.com/6' },
      { op: 'test', path: '/metadata/name', value: 'another' },
    ];
    await assert.rejects(patch('json', failing), { code: 422 });
    assert.deepEqual(images(await patch('merge', {})), ['example.com/5', 'example.com/2']);
  });

  it('of a field that the kind has not is warned of, refused or dropped, as asked', async () => {
    const value = { spec: { nosuch: 1 } };
    assert.deepEqual((await patch('merge', value)).warnings, ['unknown field "spec.nosuch"']);
    assert.deepEqual((await patch('merge', value, '?fieldValidation=Ignore')).warnings, []);
    await assert.rejects(patch('merge', value, '?fieldValidation=Strict'), { code: 422 });
  });

  it('that breaks the object’s rules is refused, and the object stays as it was', async () => {
    await assert.rejects(patch('merge', { spec: { containers: [] } }), { code: 422 });
    await assert.rejects(patch('merge', { spec: { nodeName: 7 } }), { code: 422 });
    assert.equal(images(await patch('merge', {})).length, 2);
  });

  it('of another content type is refused with 415, an applied one without a manager with 422', async () => {
    const request = pods.request('PATCH', '/p', {}, { 'content-type': 'application/json' });
    await assert.rejects(readPatch(request), { code: 415 });
    await assert.rejects(patch('apply', { apiVersion: 'v1', kind: 'Pod' }), { code: 422 });
  });
});
