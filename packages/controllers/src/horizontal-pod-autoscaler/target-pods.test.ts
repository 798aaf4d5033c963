import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Pod, type PodPhase, type PodSpec, timeFromMs } from '@wherry/kubeapi';
import { usualAutoscalerSettings } from '../machinery/autoscaler-settings.ts';
import { proposeReplicas } from './replica-count.ts';
import { groupPods, requestsOf } from './target-pods.ts';

const nowMs = 1_800_000_000_000;
const scene = { nowMs, starting: usualAutoscalerSettings };
const cpu = { name: 'cpu', container: undefined };
const asksFor = (requests: Record<string, string>) => ({ resources: { requests } });
const podOf = (name: string, more: { phase?: PodPhase; spec?: PodSpec; deleted?: boolean } = {}): Pod => ({
  metadata: { name, ...(more.deleted ? { deletionTimestamp: timeFromMs(nowMs) } : {}) },
  spec: more.spec ?? { containers: [{ name: 'main', image: 'busybox', ...asksFor({ cpu: '1' }) }] },
  status: {
    phase: more.phase ?? 'Running',
    startTime: timeFromMs(nowMs - 3_600_000),
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: timeFromMs(nowMs - 3_500_000) }],
  },
});
const measured = (amounts: Record<string, number>) =>
  new Map(
    Object.entries(amounts).map(([name, milli]) => [name, { milli, atMs: nowMs - 10_000, windowMs: 30_000 }]),
  );

it('pods on their way out and failed ones count for nothing, pending ones as unready', () => {
  const pods = [
    podOf('here'),
    podOf('going', { deleted: true }),
    podOf('failed', { phase: 'Failed' }),
    podOf('coming', { phase: 'Pending' }),
    podOf('silent'),
  ];
  const usages = measured({ here: 500, going: 900, failed: 900, coming: 900 });
  const { groups, usage } = groupPods(pods, usages, cpu, scene);
  assert.deepEqual([...usage], [['here', 500]]);
  assert.deepEqual([groups.ready, [...groups.unready], [...groups.missing]], [1, ['coming'], ['silent']]);
});

it('who was measured and is not among the pods counts in an average, not in a share of requests', () => {
  const pods = [podOf('here')];
  const { groups, usage } = groupPods(pods, measured({ here: 100, gone: 500 }), cpu, scene);
  const given = { current: 1, usage, groups, tolerance: { up: 0.1, down: 0.1 } };
  assert.equal(proposeReplicas({ ...given, target: { average: 100 } }).average, 300);
  const target = { utilization: 10, requests: requestsOf(pods, cpu) };
  assert.equal(proposeReplicas({ ...given, target }).utilization, 10);
});

it('where only strangers were measured, or nobody who is ready, that is said', () => {
  const group = (amounts: Record<string, number>, phase: PodPhase = 'Running') =>
    groupPods([podOf('here', { phase })], measured(amounts), cpu, scene);
  assert.throws(() => group({ here: 100 }, 'Pending'), {
    message: 'did not receive metrics for targeted pods (pods might be unready)',
  });
  const { groups, usage } = group({ gone: 100 });
  const target = { utilization: 10, requests: requestsOf([podOf('here')], cpu) };
  const given = { current: 1, usage, groups, target, tolerance: { up: 0.1, down: 0.1 } };
  assert.throws(() => proposeReplicas(given), { message: 'no metrics returned matched known pods' });
});

it('a pod with requests of its own asks for those, and for the sum of its containers of what they leave out', () => {
  const containers = ['one', 'two'].map((name) => ({ name, image: 'busybox', ...asksFor({ cpu: '250m' }) }));
  const request = (own: Record<string, string> | undefined, resource = cpu) =>
    requestsOf([podOf('here', { spec: { containers, ...(own ? asksFor(own) : {}) } })], resource).get('here');
  assert.equal(request(undefined), 500);
  assert.equal(request({ cpu: '800m' }), 800);
  assert.equal(request({ memory: '1Gi' }), 500);
  assert.equal(
    requestsOf([podOf('here', { spec: { containers } })], { name: 'cpu', container: 'two' }).get('here'),
    250,
  );
  const memory = { name: 'memory', container: undefined };
  assert.throws(() => request({ cpu: '1' }, memory as typeof cpu), {
    message: 'missing pod-level request for memory in Pod here',
  });
  assert.throws(() => request(undefined, memory as typeof cpu), {
    message: 'missing request for memory in container one of Pod here',
  });
});
