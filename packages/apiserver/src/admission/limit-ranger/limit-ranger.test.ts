import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { LimitRangeItem } from '@wherry/kubeapi';
import { TestServer } from '../../../test/test-server.ts';

const annotation = 'kubernetes.io/limit-ranger';

describe('a limit range', () => {
  let server: TestServer;
  let namespaces = 0;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  /** A namespace of its own with one limit range; what posts pods and claims there. */
  const bounded = async (...limits: LimitRangeItem[]) => {
    namespaces += 1;
    const name = `bounded-${namespaces}`;
    const path = `/api/v1/namespaces/${name}`;
    const post = (plural: string, body: object) => server.request('POST', `${path}/${plural}`, { body });
    await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
    await post('serviceaccounts', { metadata: { name: 'default' } });
    assert.equal((await post('limitranges', { metadata: { name: 'a' }, spec: { limits } })).status, 201);
    const postPod = (spec: object) => post('pods', { metadata: { name: 'a' }, spec });
    return { path, post, postPod };
  };
  const container = (resources: object = {}, name = 'main') => ({ name, image: 'x', resources });
  const refusal = ({ status, body }: { status: number; body: { message: string } }) => {
    assert.equal(status, 403, JSON.stringify(body));
    return body.message;
  };

  it('gives containers the requests and limits that they do not name, and says so', async () => {
    const { postPod } = await bounded({
      type: 'Container',
      default: { cpu: '500m', memory: '256Mi' },
      defaultRequest: { cpu: '100m', memory: '128Mi' },
    });
    const { status, body } = await postPod({
      containers: [container({ requests: { cpu: '200m' } }), container({}, 'second')],
      initContainers: [container({ limits: { cpu: '1', memory: '1Gi' } }, 'first')],
    });
    assert.equal(status, 201, JSON.stringify(body));
    const [main, second] = body.spec.containers;
    assert.deepEqual(main.resources, {
      requests: { cpu: '200m', memory: '128Mi' },
      limits: { cpu: '500m', memory: '256Mi' },
    });
    assert.deepEqual(second.resources, {
      requests: { cpu: '100m', memory: '128Mi' },
      limits: { cpu: '500m', memory: '256Mi' },
    });
    assert.deepEqual(body.spec.initContainers[0].resources.requests, { cpu: '1', memory: '1Gi' });
    assert.equal(
      body.metadata.annotations[annotation],
      'LimitRanger plugin set: memory request for container main; cpu, memory limit for container main; ' +
        'cpu, memory request for container second; cpu, memory limit for container second',
    );
  });

  it('bounds each container from below, from above and by the ratio of its limit to its request', async () => {
    const { postPod } = await bounded({
      type: 'Container',
      min: { memory: '64Mi' },
      max: { cpu: '2' },
      default: { cpu: '1' },
      maxLimitRequestRatio: { cpu: '2' },
    });
    const cases: [resources: object, why: string][] = [
      [
        { requests: { cpu: '1', memory: '32Mi' }, limits: { cpu: '1' } },
        'minimum memory usage per Container is 64Mi, but request is 32Mi',
      ],
      [
        { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '3', memory: '1Gi' } },
        '[maximum cpu usage per Container is 2, but limit is 3, ' +
          'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000]',
      ],
      [
        { requests: { cpu: '0', memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
        'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
      ],
    ];
    for (const [resources, why] of cases) {
      const answer = await postPod({ containers: [container(resources)] });
      assert.equal(refusal(answer), `pods "a" is forbidden: ${why}`);
    }
    const fits = { requests: { cpu: '750m', memory: '64Mi' }, limits: { cpu: '1500m', memory: '64Mi' } };
    assert.equal((await postPod({ containers: [container(fits)] })).status, 201);
  });

  it('bounds pods by the sum of their containers, init containers in their turn', async () => {
    const { postPod } = await bounded({ type: 'Pod', min: { memory: '1' }, max: { cpu: '2' } });
    const of = (cpu: string) => container({ requests: { cpu, memory: '1Mi' }, limits: { cpu } }, `c${cpu}`);
    const without = await postPod({ containers: [container({ requests: { memory: '1Mi' } })] });
    assert.match(refusal(without), /maximum cpu usage per Pod is 2\. {2}No limit is specified$/);
    const tooMuch = await postPod({ containers: [of('1'), of('1500m')] });
    assert.match(refusal(tooMuch), /maximum cpu usage per Pod is 2, but limit is 2500m$/);
    const answer = await postPod({ containers: [of('1'), of('500m')], initContainers: [of('2')] });
    assert.equal(answer.status, 201, answer.text);
  });

  it('bounds what claims ask for, also when they grow', async () => {
    const { path, post } = await bounded({
      type: 'PersistentVolumeClaim',
      min: { storage: '1Gi' },
      max: { storage: '5Gi' },
    });
    const claim = (storage: string) => ({
      metadata: { name: 'a' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    });
    const claims = 'persistentvolumeclaims';
    assert.match(
      refusal(await post(claims, claim('6Gi'))),
      /^persistentvolumeclaims "a" is forbidden: maximum storage usage per PersistentVolumeClaim is 5Gi, but request is 6Gi$/,
    );
    assert.match(
      refusal(await post(claims, claim('1Mi'))),
      /minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi$/,
    );
    assert.equal((await post(claims, claim('2Gi'))).status, 201);
    const type = 'application/merge-patch+json';
    const labels = { metadata: { labels: { a: 'b' } } };
    assert.equal((await server.request('PATCH', `${path}/${claims}/a`, { type, body: labels })).status, 200);
  });

  it('says nothing of pods that are there already', async () => {
    const { path, post, postPod } = await bounded({ type: 'Pod', max: { cpu: '2' } });
    const limits = { cpu: '1' };
    assert.equal((await postPod({ containers: [container({ limits })] })).status, 201);
    const spec = { limits: [{ type: 'Container', max: { cpu: '500m' } }] };
    await post('limitranges', { metadata: { name: 'b' }, spec });
    const type = 'application/merge-patch+json';
    const labels = { metadata: { labels: { a: 'b' } } };
    const { status, body } = await server.request('PATCH', `${path}/pods/a`, { type, body: labels });
    assert.deepEqual([status, body.metadata.annotations], [200, undefined]);
  });
});
