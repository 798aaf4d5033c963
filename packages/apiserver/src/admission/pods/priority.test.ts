import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const pods = '/api/v1/namespaces/default/pods';
const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';

describe('a pod’s priority', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const metadata = { name: 'default' };
    await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata } });
  });
  after(() => server.close());

  const postClass = (name: string, more: object) =>
    server.request('POST', classes, { body: { metadata: { name }, value: 10, ...more } });
  const post = (name: string, spec: object) =>
    server.request('POST', pods, {
      body: { metadata: { name }, spec: { containers: [{ name: 'main', image: 'x' }], ...spec } },
    });

  it('is its class’s, and nobody writes another', async () => {
    assert.equal((await postClass('high', { value: 1000, preemptionPolicy: 'Never' })).status, 201);
    const { body } = await post('a', { priorityClassName: 'high' });
    assert.deepEqual([body.spec.priority, body.spec.preemptionPolicy], [1000, 'Never']);
    assert.equal((await post('same', { priorityClassName: 'high', priority: 1000 })).status, 201);
    for (const [spec, why] of [
      [
        { priority: 5 },
        /the integer value of priority \(5\) must not be provided in pod spec; .* computed 0 /,
      ],
      [{ priorityClassName: 'high', priority: 0 }, /the integer value of priority \(0\) .* computed 1000 /],
      [
        { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' },
        /the string value of PreemptionPolicy \(PreemptLowerPriority\) .* computed Never /,
      ],
      [{ priorityClassName: 'none' }, /no PriorityClass with name none was found$/],
    ] as const) {
      const { status, body: refusal } = await post('refused', spec);
      assert.equal(status, 403, JSON.stringify(spec));
      assert.match(refusal.message, /^pods "refused" is forbidden: /);
      assert.match(refusal.message, why);
    }
  });

  it('stays as it is when an update does not say it', async () => {
    const { body } = await post('kept', { priorityClassName: 'high' });
    const { priority: _priority, preemptionPolicy: _policy, ...spec } = body.spec;
    const { status, body: updated } = await server.request('PUT', `${pods}/kept`, {
      body: { ...body, spec, metadata: { ...body.metadata, labels: { a: 'b' } } },
    });
    assert.deepEqual([status, updated.spec?.priority, updated.spec?.preemptionPolicy], [200, 1000, 'Never']);
  });

  it('has one default class at most', async () => {
    assert.equal((await postClass('usual', { globalDefault: true })).status, 201);
    assert.equal((await post('b', {})).body.spec.priorityClassName, 'usual');
    const second = await postClass('other', { globalDefault: true });
    assert.equal(second.status, 403);
    assert.match(second.body.message, /PriorityClass usual is already marked as default\. Only one default/);
    const again = await server.request('PATCH', `${classes}/usual`, {
      body: { globalDefault: true, description: 'the same' },
      type: 'application/merge-patch+json',
    });
    assert.equal(again.status, 200);
  });
});
