import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

it('a pod gets the zone and region of its node, by its binding or when it names the node itself', async () => {
  const server = await TestServer.start();
  const pods = '/api/v1/namespaces/default/pods';
  const post = async (path: string, body: object) => {
    const answer = await server.request('POST', path, { body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const zone = { 'topology.kubernetes.io/zone': 'z1', 'topology.kubernetes.io/region': 'r1' };
  await post('/api/v1/nodes', { metadata: { name: 'worker', labels: { ...zone, other: 'x' } } });
  await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const spec = { containers: [{ name: 'main', image: 'x' }] };
  const labels = { app: 'a', 'topology.kubernetes.io/zone': 'lie' };
  await post(pods, { metadata: { name: 'a', labels }, spec });
  const target = { kind: 'Node', name: 'worker' };
  await post(`${pods}/a/binding`, { metadata: { name: 'a' }, target });
  const { body } = await server.request('GET', `${pods}/a`);
  assert.deepEqual(body.metadata.labels, { app: 'a', ...zone });
  const placed = await post(pods, { metadata: { name: 'b' }, spec: { ...spec, nodeName: 'worker' } });
  assert.deepEqual(placed.metadata.labels, zone);
  await server.close();
});
