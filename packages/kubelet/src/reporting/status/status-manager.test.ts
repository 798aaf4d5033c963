import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import type { PodStatus } from '@wherry/kubeapi';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { container, pod } from '../../../test/builders.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { StatusManager } from './status-manager.ts';

const at = (version: number, status: PodStatus): AssignedPod => {
  const made = pod({ containers: [container('a')] });
  return { ...made, metadata: { ...made.metadata, resourceVersion: String(version) }, status };
};

/** A manager before a server that takes each status as its next version; `shown` is what the watch has shown. */
function managerOf(shown: AssignedPod) {
  const version = Number(shown.metadata.resourceVersion);
  const state = { shown, version, written: [] as object[], refuses: false };
  const clock = new FakeClock();
  const patch = async ({ patch }: { patch: { status: PodStatus } }) => {
    state.written.push(patch.status);
    if (state.refuses) throw new Error('the status is invalid');
    state.version += 1;
    return at(state.version, patch.status);
  };
  const manager = new StatusManager({
    client: { resource: () => ({ patch }) } as never,
    ...{ clock, logger: silentLogger, metrics: new MetricsRegistry() },
    ...{ starts: { told: () => {} }, apiPod: () => state.shown, mayDelete: () => false },
  });
  return { manager, state, clock };
}

test('a status that the API server has forgotten, its store being an older one, is told again', async () => {
  const pending = at(300, { phase: 'Pending' });
  const { manager, state } = managerOf(pending);
  manager.set(pending, { phase: 'Running' });
  await setImmediate();
  assert.equal(state.written.length, 1);
  // The watch is behind.
  manager.check(pending.metadata.uid);
  await setImmediate();
  assert.equal(state.written.length, 1);
  // A list has what was told, and one of an older store has not.
  state.shown = at(301, { phase: 'Running' });
  manager.listed();
  await setImmediate();
  assert.equal(state.written.length, 1);
  state.shown = pending;
  manager.listed();
  await setImmediate();
  assert.equal(state.written.length, 2);
  manager.close();
});

test('a status that the API server refuses is tried ever more rarely, however often it is looked at', async () => {
  const pending = at(300, { phase: 'Pending' });
  const { manager, state, clock } = managerOf(pending);
  state.refuses = true;
  manager.set(pending, { phase: 'Running' });
  for (let look = 0; look < 60; look += 1) {
    await clock.advanceAsync(10_000);
    manager.checkAll();
    await setImmediate();
  }
  const tries = state.written.length;
  assert.ok(tries > 60 && tries < 130, `${tries} in ten minutes`);
  state.refuses = false;
  await clock.advanceAsync(20_000);
  const told = state.written.length;
  manager.checkAll();
  await clock.advanceAsync(60_000);
  assert.equal(state.written.length, told, 'it is told, and not again');
  assert.equal(clock.pendingTimers, 0);
  manager.close();
});
