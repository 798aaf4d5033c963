import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const pods = '/api/v1/namespaces/default/pods';

describe('a pod whose node does not declare what a change needs', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const metadata = { name: 'default' };
    await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata } });
    const allocatable = { cpu: '4', memory: '4Gi', pods: '10' };
    const initContainers = 'InPlacePodVerticalScalingInitContainers';
    for (const [name, declaredFeatures] of Object.entries({
      old: [],
      new: ['InPlacePodLevelResourcesVerticalScaling', initContainers],
    })) {
      const body = { metadata: { name }, status: { allocatable, declaredFeatures } };
      assert.equal((await server.request('POST', '/api/v1/nodes', { body })).status, 201);
    }
  });
  after(() => server.close());

  const sizes = (cpu: string) => ({ requests: { cpu, memory: '64Mi' } });
  const make = async (name: string, nodeName?: string) => {
    const spec = {
      ...(nodeName === undefined ? {} : { nodeName }),
      resources: sizes('1'),
      initContainers: [{ name: 'first', image: 'x', resources: sizes('100m') }],
      containers: [{ name: 'main', image: 'x', resources: sizes('100m') }],
    };
    const { status, body } = await server.request('POST', pods, { body: { metadata: { name }, spec } });
    assert.equal(status, 201, body.message);
  };
  const resize = (name: string, spec: object) =>
    server.request('PATCH', `${pods}/${name}/resize`, {
      body: { spec },
      type: 'application/merge-patch+json',
    });
  const first = { initContainers: [{ name: 'first', image: 'x', resources: sizes('200m') }] };

  it('is not resized as a whole, and its init containers are not', async () => {
    await make('a', 'old');
    const words = (features: string) =>
      `pods "a" is forbidden: pod update requires features ${features} which are not available on node "old"`;
    const whole = { resources: sizes('2') };
    const answers = [await resize('a', whole), await resize('a', { ...whole, ...first })];
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.message]),
      [
        [403, words('InPlacePodLevelResourcesVerticalScaling')],
        [403, words('InPlacePodLevelResourcesVerticalScaling, InPlacePodVerticalScalingInitContainers')],
      ],
    );
  });

  it('is resized container by container, and written otherwise', async () => {
    await make('b', 'old');
    const containers = [{ name: 'main', image: 'x', resources: sizes('200m') }];
    assert.equal((await resize('b', { containers })).status, 200);
    assert.equal((await resize('b', { resources: sizes('1000m') })).status, 200);
    const labels = { body: { metadata: { labels: { a: 'b' } } }, type: 'application/merge-patch+json' };
    assert.equal((await server.request('PATCH', `${pods}/b`, labels)).status, 200);
  });

  it('is resized where its node declares it', async () => {
    await make('c', 'new');
    const { status, body } = await resize('c', { resources: sizes('2'), ...first });
    assert.equal(status, 200, body.message);
  });
});
