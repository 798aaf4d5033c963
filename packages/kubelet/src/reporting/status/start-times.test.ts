import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { PodSpec, PodStatus } from '@wherry/kubeapi';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import { StartTimes } from './start-times.ts';

const createdAt = '2026-01-01T00:00:00Z';
const begun: PodStatus = { startTime: createdAt };
const running: PodStatus = {
  ...begun,
  containerStatuses: [
    ...[{ name: 'a', state: { running: { startedAt: createdAt } } }].map((status) => ({
      ...{ ready: true, restartCount: 0, image: '', imageID: '' },
      ...status,
    })),
  ],
};

/** A pod created three seconds ago, and what is counted of its start. */
function starting(spec: Partial<PodSpec> = {}) {
  const clock = new FakeClock({ nowMs: Date.parse(createdAt) + 3_000 });
  const metrics = new MetricsRegistry();
  const times = new StartTimes({ clock, metrics });
  const made = pod({ containers: [container('a')], ...spec }, { creationTimestamp: createdAt });
  const { uid } = made.metadata;
  const as = (status?: PodStatus) => ({ ...made, status });
  const figures = () =>
    Object.fromEntries(
      [...metrics.render().matchAll(/^kubelet_(\w+)_seconds(?:_sum)? (.*)$/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    );
  return { clock, times, uid, as, figures };
}

test('a pod counts once, from its creation until it is seen to run, with its pulls and init containers and without', () => {
  const { clock, times, uid, as, figures } = starting();
  times.seen(as());
  const [first, second] = [times.pulls(uid), times.pulls(uid)];
  clock.advance(2_000);
  first();
  clock.advance(1_000);
  second();
  for (const _ of ['pass', 'pass again']) times.initEnded(uid, 'id', 500);
  times.seen(as(begun));
  clock.advance(4_000);
  times.seen(as(running));
  clock.advance(1_000);
  for (const _ of ['answered', 'and watched again']) {
    times.told(as(running));
    times.seen(as(running));
  }
  assert.deepEqual(figures(), {
    pod_start_total_duration: 10,
    pod_start_sli_duration: 6.5,
    first_network_pod_start_sli_duration: 6.5,
  });
});

test('a pod with state, or in the network of the node, is left out of what is said of others', () => {
  const claim = starting({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] });
  const host = starting({ hostNetwork: true, volumes: [{ name: 'v', emptyDir: {} }] });
  for (const { times, as } of [claim, host]) {
    times.seen(as());
    times.told(as(running));
    times.seen(as(running));
  }
  assert.deepEqual(claim.figures(), { pod_start_total_duration: 3, first_network_pod_start_sli_duration: 0 });
  assert.deepEqual(host.figures(), {
    pod_start_total_duration: 3,
    pod_start_sli_duration: 3,
    first_network_pod_start_sli_duration: 0,
  });
});

test('a pod that began before, could not be scheduled or ran before it was told of does not count', () => {
  const unscheduled: PodStatus = { conditions: [{ type: 'PodScheduled', status: 'False' }] };
  for (const shown of [[begun, running], [unscheduled, undefined, running], [undefined]]) {
    const { times, as, figures } = starting();
    for (const status of shown) times.seen(as(status));
    if (shown.length > 1) times.told(as(running));
    times.seen(as(running));
    assert.deepEqual(figures(), { first_network_pod_start_sli_duration: 0 });
  }
});
