/** A horizontal pod autoscaler on real containers: what they take decides how many there are. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testImage } from './image.ts';
import { eventually, TestNode } from './node.ts';

let node: TestNode;
before(async () => {
  node = await TestNode.start('autoscale');
});
after(() => node?.remove());

const spin = ['sh', '-c', 'trap exit TERM; while true; do :; done'];

test('a deployment under load grows to what its autoscaler lets it, and says by which metric', async () => {
  const labels = { app: 'busy' };
  const main = {
    ...{ name: 'main', image: testImage, imagePullPolicy: 'Never', command: spin },
    resources: { requests: { cpu: '50m' }, limits: { cpu: '50m' } },
  };
  const spec = {
    ...{ replicas: 1, selector: { matchLabels: labels } },
    template: { metadata: { labels }, spec: { terminationGracePeriodSeconds: 0, containers: [main] } },
  };
  await node.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'busy' }, spec });
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 20 } };
  await node.apply({
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'busy' } },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'busy' },
      ...{ minReplicas: 1, maxReplicas: 3, metrics: [{ type: 'Resource', resource: cpu }] },
    },
  });
  const autoscaler = async () => JSON.parse(await node.kubectlOk(['get', 'hpa', 'busy', '-o', 'json']));
  const { status } = await eventually(
    'three replicas',
    async () => {
      const found = await autoscaler();
      return found.status?.desiredReplicas === 3 && found;
    },
    120_000,
  );
  const conditions = new Map(
    status.conditions.map(({ type, status }: { type: string; status: string }) => [type, status]),
  );
  assert.equal(conditions.get('AbleToScale'), 'True');
  assert.ok(status.currentMetrics[0].resource.current.averageUtilization > 20);
  await node.kubectlOk(['rollout', 'status', 'deployment/busy', '--timeout=60s']);
  assert.match(
    await node.kubectlOk(['describe', 'hpa', 'busy']),
    /SuccessfulRescale .*New size: 3; reason: cpu resource utilization \(percentage of request\) above target/,
  );
});
