import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const containers = [{ name: 'main', image: 'busybox' }];

describe('a job that is deleted', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const make = async (name: string) => {
    const spec = { template: { spec: { restartPolicy: 'Never', containers } } };
    const body = { metadata: { name, labels: { of: 'test' } }, spec };
    assert.equal((await server.request('POST', jobs, { body })).status, 201);
  };
  const warned = async (path: string) =>
    String((await server.request('DELETE', `${jobs}${path}`)).headers['warning'] ?? '');

  it('leaves its pods behind unless somebody says otherwise, and who has not said so is told', async () => {
    await make('one');
    assert.match(await warned('/one'), /child pods are preserved by default when jobs are deleted/);
    const { body } = await server.request('GET', `${jobs}/one`);
    assert.deepEqual(body.metadata.finalizers, ['orphan']);
    await make('many');
    assert.match(await warned('?labelSelector=of=test'), /child pods are preserved/);
    for (const policy of ['Background', 'Orphan']) {
      await make(`decided-${policy.toLowerCase()}`);
      assert.equal(await warned(`/decided-${policy.toLowerCase()}?propagationPolicy=${policy}`), '');
    }
  });
});

it('a job that chose no labels is found by those of its template, its own among them', async () => {
  const server = await TestServer.start();
  try {
    const labelsOf = async (name: string, labels?: object, ofPods?: object) => {
      const template = { metadata: { labels: ofPods }, spec: { restartPolicy: 'Never', containers } };
      const body = { metadata: { name, labels }, spec: { template } };
      const { body: made, status, text } = await server.request('POST', jobs, { body });
      assert.equal(status, 201, text);
      const stored = await server.request('GET', `${jobs}/${name}`);
      assert.deepEqual(stored.body.metadata.labels, made.metadata.labels);
      return Object.keys(made.metadata.labels).sort();
    };
    const added = [
      ...['batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name', 'controller-uid', 'job-name'],
    ];
    assert.deepEqual(await labelsOf('none'), added);
    assert.deepEqual(await labelsOf('of-pods', undefined, { a: 'b' }), ['a', ...added]);
    assert.deepEqual(await labelsOf('own', { c: 'd' }, { a: 'b' }), ['c']);
    assert.deepEqual(await labelsOf('alike', { a: 'b' }, { a: 'b' }), ['a']);
    const found = await server.request('GET', `${jobs}?labelSelector=job-name`);
    assert.deepEqual(
      found.body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['none', 'of-pods'],
    );
  } finally {
    await server.close();
  }
});
