import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Event, Pod, PodStatus } from '@wherry/kubeapi';
import { waitOf, waitText } from '@wherry/podrules/pod-wait';
import { firstSeen } from './event-time.ts';
import { timelineOf } from './timeline.ts';

const second = (offset: number) =>
  new Date(Date.UTC(2026, 0, 1) + offset * 1000).toISOString().replace('.000', '');
/** As kubelets name an event that happened so many milliseconds after the pod's creation. */
const nameAt = (ms: number) => `web.${(BigInt(Date.UTC(2026, 0, 1) + ms) * 1_000_000n).toString(16)}`;

function event(reason: string, ms: number, facts: Partial<Event> = {}): Event {
  return {
    metadata: { name: nameAt(ms) },
    involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec.containers{main}' },
    ...{ reason, message: `${reason} it`, type: 'Normal', firstTimestamp: second(Math.floor(ms / 1000)) },
    ...facts,
  } as Event;
}

const podWith = (status: PodStatus, spec: object = { nodeName: 'one' }): Pod =>
  ({
    metadata: { name: 'web', creationTimestamp: second(0) },
    spec: { containers: [{ name: 'main' }], ...spec },
    status,
  }) as Pod;

const condition = (type: string, at: number, status = 'True', more: object = {}) => ({
  ...{ type, status, lastTransitionTime: second(at) },
  ...more,
});

const standing = [
  condition('PodScheduled', 0),
  condition('PodReadyToStartContainers', 1),
  condition('Ready', 2, 'False'),
];
const main = (facts: object) => ({
  ...{ name: 'main', ready: false, restartCount: 0, image: '', imageID: '' },
  ...facts,
});

describe("a pod's time line", () => {
  it('has the exact time of events from their names, and seconds of all else, in order', () => {
    const status = {
      conditions: [...standing.slice(0, 2), condition('ContainersReady', 2), condition('Ready', 2)],
      containerStatuses: [main({ ready: true, state: { running: { startedAt: second(1) } } })],
    };
    const events = [
      event('Started', 1_900),
      event('Scheduled', 12),
      event('Pulled', 1_250),
      event('Created', 1_300),
    ];
    const pod = podWith(status);
    pod.metadata.managedFields = [
      { manager: 'kube-scheduler', subresource: 'status' },
      { manager: 'kubectl' },
    ];
    const steps = timelineOf(pod, events);
    assert.equal(steps[0]?.detail, 'written to the API by kubectl');
    assert.deepEqual(
      steps.map(({ step }) => step),
      [
        ...['created', 'Scheduled', 'PodReadyToStartContainers', 'Pulled', 'Created', 'Started', 'running'],
        ...['ContainersReady', 'Ready'],
      ],
    );
    const scheduled = steps.find(({ step }) => step === 'Scheduled');
    assert.deepEqual(scheduled?.at, { ms: Date.UTC(2026, 0, 1) + 12, isExact: true });
  });

  it('takes no time from a name that does not fit the time that the event tells', () => {
    const stranger = event('Pulled', 1_250, { metadata: { name: 'web.0123456789abcdef' } });
    assert.deepEqual(firstSeen(stranger), { ms: Date.UTC(2026, 0, 1) + 1_000, isExact: false });
    const newer = event('Pulled', 0, { eventTime: '2026-01-01T00:00:03.250000Z' });
    assert.deepEqual(firstSeen(newer), { ms: Date.UTC(2026, 0, 1) + 3_250, isExact: true });
  });
});

describe('what a pod waits for', () => {
  const waits = (pod: Pod, ...events: Event[]) => {
    const wait = waitOf(pod, events);
    return wait && [wait.for, wait.reason, wait.message];
  };

  it('is nothing once it is Ready or has ended', () => {
    assert.equal(waits(podWith({ conditions: [condition('Ready', 2)] })), undefined);
    assert.equal(waits(podWith({ phase: 'Succeeded' })), undefined);
  });

  it('is the scheduler, a gate, its volumes, its sandbox', () => {
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    const refused = condition('PodScheduled', 0, 'False', { reason: 'Unschedulable', message });
    assert.deepEqual(waits(podWith({ conditions: [refused] }, {})), ['scheduling', 'Unschedulable', message]);
    const gated = podWith({}, { schedulingGates: [{ name: 'example.com/later' }] });
    assert.deepEqual(waits(gated), ['scheduling', 'SchedulingGated', 'scheduling gates example.com/later']);
    const bound = podWith({ startTime: second(0), conditions: [condition('PodScheduled', 0)] });
    assert.deepEqual(waits(bound, event('FailedMount', 100, { message: 'configmap "a" not found' })), [
      ...['volumes', 'FailedMount', 'configmap "a" not found'],
    ]);
    assert.equal(waits(bound)?.[0], 'sandbox');
  });

  it('is an image that comes, one that does not, a probe, a container that falls', () => {
    const creating = podWith({
      conditions: standing,
      containerStatuses: [main({ state: { waiting: { reason: 'ContainerCreating' } } })],
    });
    assert.deepEqual(waits(creating, event('Pulling', 1_100)), ['image', 'Pulling', 'Pulling it']);
    assert.deepEqual(waits(creating, event('Pulling', 1_100), event('Pulled', 1_200))?.[0], 'container');
    const unmounted = event('FailedMount', 1_300, { involvedObject: { kind: 'Pod', name: 'web' } });
    assert.deepEqual(waits(creating, event('Pulling', 1_100), event('Pulled', 1_200), unmounted), [
      ...['volumes', 'FailedMount', 'FailedMount it'],
    ]);
    const backOff = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "no"' };
    const failing = podWith({
      conditions: standing,
      containerStatuses: [main({ state: { waiting: backOff } })],
    });
    assert.deepEqual(waits(failing), ['image', 'ImagePullBackOff', backOff.message]);
    const unready = podWith({
      conditions: standing,
      containerStatuses: [main({ started: true, state: { running: { startedAt: second(1) } } })],
    });
    assert.deepEqual(waits(unready, event('Unhealthy', 3_000)), ['probe', 'Unhealthy', 'Unhealthy it']);
    const crash = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
    const falling = podWith({
      conditions: standing,
      containerStatuses: [main({ state: { waiting: crash } })],
    });
    assert.deepEqual(waits(falling), ['container', 'CrashLoopBackOff', 'back-off 10s']);
    const lastState = { terminated: { exitCode: 128, reason: 'StartError', message: 'no such program' } };
    falling.status!.containerStatuses = [main({ state: { waiting: crash }, lastState })];
    const why = 'it ended with exit code 128 (StartError): no such program; back-off 10s';
    assert.equal(waits(falling)?.[2], why);
    assert.equal(waitText(waitOf(falling, [])!), `container main (CrashLoopBackOff): ${why}`);
    assert.equal(
      waitText(waitOf(failing, [])!),
      `image of container main (ImagePullBackOff): ${backOff.message}`,
    );
  });

  it('is what keeps it, once it is deleted', () => {
    const pod = podWith({ conditions: standing });
    pod.metadata.deletionTimestamp = second(5);
    pod.metadata.finalizers = ['example.com/keep'];
    assert.match(waits(pod)?.[2] ?? '', /example\.com\/keep keep it/);
  });
});
