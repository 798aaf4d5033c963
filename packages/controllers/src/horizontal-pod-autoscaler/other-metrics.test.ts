/** Autoscalers by what an extension server measures, over the real API server's aggregation. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import type { HorizontalPodAutoscaler, MetricSpec } from '@wherry/kubeapi';
import { eventually } from '../../test/cluster.ts';
import { MetricsExtension, type Value } from '../../test/metrics-extension.ts';

const custom = 'custom.metrics.k8s.io';
const external = 'external.metrics.k8s.io';

let extension: MetricsExtension;
before(async () => {
  extension = await MetricsExtension.start();
});
after(() => extension?.close());

const autoscalers = kinds.horizontalPodAutoscalers;
const targetOf = (name: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });

/** A deployment whose pods run, and their names. */
async function deploy(name: string, replicas: number): Promise<string[]> {
  const { there } = extension;
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'busybox' }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  await there.create(kinds.deployments, name, { spec });
  const isThere = ({ status }: { status?: { readyReplicas?: number } }) => status?.readyReplicas === replicas;
  await there.until(kinds.deployments, name, 'is there', isThere);
  return (await there.pods(`app=${name}`)).map(({ metadata }) => metadata.name ?? '');
}

function autoscale(name: string, metrics: MetricSpec[], more: object = {}): Promise<HorizontalPodAutoscaler> {
  const spec = { scaleTargetRef: targetOf(name), minReplicas: 1, maxReplicas: 9, metrics, ...more };
  return extension.there.create(autoscalers, name, { spec });
}

const untilWants = (name: string, replicas: number) =>
  extension.there.until(
    autoscalers,
    name,
    `wants ${replicas}`,
    ({ status }) => status?.desiredReplicas === replicas,
  );

/** Waits for a condition of that reason, and gives its message. */
async function untilSays(name: string, reason: string): Promise<string> {
  const isIt = (each: { reason?: string }) => each.reason === reason;
  const { status } = await extension.there.until(autoscalers, name, `says ${reason}`, ({ status }) =>
    Boolean(status?.conditions?.some(isIt)),
  );
  return status?.conditions?.find(isIt)?.message ?? '';
}

async function untilTells(name: string, event: string): Promise<void> {
  let events: string[] = [];
  await eventually(event, async () => {
    events = await extension.there.events(name);
    return events.includes(event);
  }).catch((cause: unknown) => assert.fail(`${cause}: there is\n${events.join('\n')}`));
}

const average = (averageValue: string) => ({ type: 'AverageValue', averageValue });
const total = (value: string) => ({ type: 'Value', value });
const hits: MetricSpec = {
  type: 'Pods',
  pods: { metric: { name: 'hits', selector: { matchLabels: { verb: 'GET' } } }, target: average('10') },
};

describe('an autoscaler by metrics of others', { timeout: 300_000 }, () => {
  it('says who is missing while nobody serves them, in upstream’s words', async () => {
    await deploy('early', 2);
    await autoscale('early', [hits]);
    const why =
      'unable to get metric hits: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';
    assert.equal(
      await untilSays('early', 'FailedGetPodsMetric'),
      `the HPA was unable to compute the replica count: ${why}`,
    );
    await untilTells('early', `FailedGetPodsMetric: ${why}`);
    await untilTells(
      'early',
      `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: failed to get pods metric value: ${why}`,
    );
  });

  it('asks in the first version where there is no other, and in the second once it is preferred', async () => {
    const { there } = extension;
    const names = (await there.pods('app=early')).map(({ metadata }) => metadata.name ?? '');
    extension.metrics.set(
      'hits',
      names.map((name): Value => [name, '10']),
    );
    await extension.register(custom, 'v1beta1');
    await untilSays('early', 'ValidMetricFound');
    const path = 'namespaces/default/pods/*/hits?labelSelector=app%3Dearly&metricLabelSelector=verb%3DGET';
    assert.deepEqual(extension.askedFor('hits'), [`/apis/${custom}/v1beta1/${path}`]);
    await extension.register(custom, 'v1beta2');
    const second = `/apis/${custom}/v1beta2/${path}`;
    await eventually('the second is asked', async () => extension.askedFor('hits').includes(second));
    const account = 'system:serviceaccount:kube-system:horizontal-pod-autoscaler';
    assert.ok(extension.users.includes(account), extension.users.join());
    await there.cluster.client.resource(autoscalers).delete({ name: 'early', namespace: 'default' });
  });

  it('grows by what each pod does, and shows it in both versions of the API', async () => {
    const names = await deploy('pods', 2);
    extension.metrics.set(
      'hits',
      names.map((name): Value => [name, '20500m']),
    );
    await autoscale('pods', [hits]);
    await untilTells('pods', 'SuccessfulRescale: New size: 4; reason: pods metric hits above target');
    const { status } = await extension.there.until(autoscalers, 'pods', 'shows it', ({ status }) =>
      Boolean(status?.currentMetrics?.[0]?.pods),
    );
    const shown = { metric: hits.pods!.metric, current: { averageValue: '20500m' } };
    assert.deepEqual(status?.currentMetrics, [{ type: 'Pods', pods: shown }]);
    const { server } = extension.there.cluster;
    const { stdout } = await server.kubectl(['describe', 'hpa', 'pods']);
    assert.match(stdout, /"hits" on pods: +20500m \/ 10\n/);
    const old = `/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/pods`;
    const { annotations } = (await server.request('GET', old)).body.metadata;
    const [figure] = JSON.parse(annotations['autoscaling.alpha.kubernetes.io/current-metrics']);
    assert.equal(figure.pods.currentAverageValue, '20500m');
    const merge = 'application/merge-patch+json';
    await server.request('PATCH', old, { body: { spec: { maxReplicas: 8 } }, type: merge });
    const { spec } = await extension.there.read(autoscalers, 'pods');
    assert.deepEqual([spec.maxReplicas, spec.metrics], [8, [hits]]);
  });

  it('grows by what one object has, each at its own path', async () => {
    await deploy('objects', 2);
    const described = [
      ['v1', 'Service', 'front', 'requests', 'services/front/requests'],
      ['networking.k8s.io/v1', 'Ingress', 'main', 'lines', 'ingresses.networking.k8s.io/main/lines'],
      ['v1', 'Namespace', 'kube-system', 'crowd', 'metrics/crowd'],
    ] as const;
    const metrics = described.map(([apiVersion, kind, name, metric]): MetricSpec => {
      extension.metrics.set(metric, [[name, '40']]);
      const describedObject = { apiVersion, kind, name };
      return { type: 'Object', object: { describedObject, metric: { name: metric }, target: total('40') } };
    });
    extension.metrics.set('lines', [['main', '60']]);
    await autoscale('objects', metrics);
    await untilTells('objects', 'SuccessfulRescale: New size: 3; reason: Ingress metric lines above target');
    for (const [, , , metric, path] of described)
      assert.deepEqual(extension.askedFor(metric), [`/apis/${custom}/v1beta2/namespaces/default/${path}`]);
    const { status } = await extension.there.until(autoscalers, 'objects', 'shows them', ({ status }) =>
      Boolean(status?.currentMetrics?.[2]?.object),
    );
    assert.deepEqual(
      status?.currentMetrics?.map(({ object }) => object?.current),
      [{ value: '40' }, { value: '60' }, { value: '40' }],
    );
  });

  it('grows by a sum from outside, as a whole and for each', async () => {
    await extension.register(external, 'v1beta1');
    extension.metrics.set('queue', [
      ['', '70'],
      ['', '50'],
    ]);
    const selector = { matchExpressions: [{ key: 'topic', operator: 'In', values: ['b', 'a'] }] };
    const queue = (target: { type: string }) =>
      ({ type: 'External', external: { metric: { name: 'queue', selector }, target } }) as MetricSpec;
    for (const name of ['whole', 'each']) await deploy(name, 2);
    await autoscale('whole', [queue(total('60'))]);
    await autoscale('each', [queue(average('40'))]);
    const words =
      'external metric queue(&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:topic,Operator:In,Values:[b a],},},})';
    await untilTells('whole', `SuccessfulRescale: New size: 4; reason: ${words} above target`);
    await untilTells('each', `SuccessfulRescale: New size: 3; reason: ${words} above target`);
    const path = 'namespaces/default/queue?labelSelector=topic+in+%28a%2Cb%29';
    assert.deepEqual(extension.askedFor('queue'), [`/apis/${external}/v1beta1/${path}`]);
    const { status } = await untilWants('each', 3);
    assert.match(JSON.stringify(status?.currentMetrics), /"current":\{"averageValue":"(60|40)"\}/);
  });

  it('grows by one metric beside one that fails, and keeps the places of both', async () => {
    const names = await deploy('half', 2);
    extension.metrics.set(
      'load',
      names.map((name): Value => [name, '15']),
    );
    const known: MetricSpec = { type: 'Pods', pods: { metric: { name: 'load' }, target: average('10') } };
    const lost: MetricSpec = { type: 'External', external: { metric: { name: 'lost' }, target: total('1') } };
    await autoscale('half', [lost, known]);
    await untilTells('half', 'SuccessfulRescale: New size: 3; reason: pods metric load above target');
    const { status } = await untilWants('half', 3);
    assert.deepEqual(
      status?.currentMetrics?.map(({ type }) => type),
      ['', 'Pods'],
    );
    assert.deepEqual(status?.currentMetrics?.[0], { type: '' });
    const { stdout } = await extension.there.cluster.server.kubectl(['describe', 'hpa', 'half']);
    assert.match(stdout, /"lost" \(target value\): +<unknown> \/ 1\n/);
  });

  it('does not shrink while one metric fails', async () => {
    const names = await deploy('stuck', 3);
    extension.metrics.set(
      'idle',
      names.map((name): Value => [name, '1']),
    );
    const known: MetricSpec = { type: 'Pods', pods: { metric: { name: 'idle' }, target: average('10') } };
    const lost: MetricSpec = {
      type: 'Object',
      object: {
        ...{ describedObject: { apiVersion: 'v1', kind: 'Service', name: 'front' } },
        ...{ metric: { name: 'lost' }, target: average('1') },
      },
    };
    const rules = {
      stabilizationWindowSeconds: 0,
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    };
    await autoscale('stuck', [known, lost], { behavior: { scaleDown: rules } });
    const why =
      'unable to get metric lost: Service on default front/unable to fetch metrics from custom metrics API: nobody measures lost';
    await untilTells(
      'stuck',
      `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 2), first error is: failed to get object metric value: failed to get lost object metric: ${why}`,
    );
    assert.equal((await extension.there.read(kinds.deployments, 'stuck')).spec?.replicas, 3);
    extension.metrics.set('lost', [['front', '1']]);
    await untilWants('stuck', 1);
  });

  it('says what is wrong with a selector that can select nothing', async () => {
    await deploy('wrong', 1);
    const metric = { name: 'hits', selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } };
    await autoscale('wrong', [{ type: 'Pods', pods: { metric, target: average('1') } }]);
    assert.match(
      await untilSays('wrong', 'FailedGetPodsMetric'),
      /"Near" is not a valid label selector operator$/,
    );
  });
});
