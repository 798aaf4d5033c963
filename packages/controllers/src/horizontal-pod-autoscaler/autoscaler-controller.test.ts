import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { Deployment, HorizontalPodAutoscaler, MetricSpec } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { WorkloadCluster } from '../../test/workload-cluster.ts';

let there: WorkloadCluster;
before(async () => {
  there = await WorkloadCluster.start();
});
after(() => there.close());

const deploy = (name: string, replicas: number) => {
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'busybox' }];
  const template = { metadata: { labels }, spec: { containers } };
  return there.create(kinds.deployments, name, {
    spec: { replicas, selector: { matchLabels: labels }, template },
  });
};
const autoscale = (name: string, spec: object = {}, target: object = {}) =>
  there.create(kinds.horizontalPodAutoscalers, name, {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name, ...target },
      minReplicas: 2,
      maxReplicas: 3,
      ...spec,
    } as HorizontalPodAutoscaler['spec'],
  });
const saysOf =
  (type: string, status: string, reason: string) =>
  ({ status: { conditions } = { desiredReplicas: 0 } }: HorizontalPodAutoscaler) =>
    conditions?.some((each) => each.type === type && each.status === status && each.reason === reason) ===
    true;
const wants =
  (replicas: number) =>
  ({ spec }: Deployment) =>
    spec?.replicas === replicas;

describe('an autoscaler', () => {
  it('brings its target between its bounds, and tells of it', async () => {
    await deploy('low', 1);
    await deploy('high', 5);
    await autoscale('low');
    await autoscale('high');
    await there.until(kinds.deployments, 'low', 'is at its least', wants(2));
    await there.until(kinds.deployments, 'high', 'is at its most', wants(3));
    const { status } = await there.until(
      ...([kinds.horizontalPodAutoscalers, 'low', 'says so'] as const),
      ({ status }) => status?.lastScaleTime !== undefined,
    );
    assert.equal(status?.desiredReplicas, 2);
    const reason = 'New size: 2; reason: Current number of replicas below Spec.MinReplicas';
    assert.ok((await there.events('low')).some((event) => event.includes(`SuccessfulRescale: ${reason}`)));
  });

  it('says why it can not tell how many replicas there should be', async () => {
    await there.until(
      ...([kinds.horizontalPodAutoscalers, 'low', 'has no figures'] as const),
      saysOf('ScalingActive', 'False', 'FailedGetResourceMetric'),
    );
    const summed =
      'FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: failed to get cpu utilization: unable to get metrics for resource cpu: ';
    await eventually('the event', async () =>
      (await there.events('low')).some((event) => event.startsWith(summed)),
    );
    const external: MetricSpec = {
      type: 'External',
      external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '3' } },
    };
    await deploy('queue', 2);
    await autoscale('queue', { metrics: [external] });
    const { status } = await there.until(
      ...([kinds.horizontalPodAutoscalers, 'queue', 'has nobody to ask'] as const),
      saysOf('ScalingActive', 'False', 'FailedGetExternalMetric'),
    );
    const active = status?.conditions?.find(({ type }) => type === 'ScalingActive');
    assert.equal(
      active?.message,
      'the HPA was unable to compute the replica count: unable to get external metric default/queue/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get queue.external.metrics.k8s.io)',
    );
  });

  it('says that there is nothing to scale, and leaves alone what was scaled to nothing', async () => {
    await autoscale('ghost');
    await autoscale('odd', {}, { kind: 'Nothing' });
    for (const name of ['ghost', 'odd'])
      await there.until(
        ...([kinds.horizontalPodAutoscalers, name, 'has no target'] as const),
        saysOf('AbleToScale', 'False', 'FailedGetScale'),
      );
    await deploy('off', 0);
    await autoscale('off');
    await there.until(
      ...([kinds.horizontalPodAutoscalers, 'off', 'is off'] as const),
      saysOf('ScalingActive', 'False', 'ScalingDisabled'),
    );
    assert.equal((await there.read(kinds.deployments, 'off')).spec?.replicas, 0);
  });
});
