import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { ContainerStatus, EventMessage, MonitorClient } from '@wherry/monitor-api';
import { silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import type { ContainerStore } from './container-store.ts';
import type { ContainerTracker } from './container-tracker.ts';
import { MonitorFollower } from './monitor-follower.ts';

const containers = [{ id: 'a', state: 'running' }] as ContainerStatus[];
const list: EventMessage = { kind: 'resync', position: { stream: 's', sequence: 1 }, containers };

test('what could not be kept is asked for again, and until then the records are out of step', async () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const monitor = {
    async *events({ signal }: { signal: AbortSignal }) {
      told.push('list');
      yield list;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  } as unknown as MonitorClient;
  const tracker = {
    applyStatus({ id }: ContainerStatus) {
      if (told.length === 1) throw new Error('ENOSPC: no space left on device');
      told.push(id);
    },
  } as unknown as ContainerTracker;
  const store = { get: () => ({}), list: () => [] } as unknown as ContainerStore;
  const sandboxes = { get: () => undefined, list: () => [] } as unknown as SandboxStore;
  const heard = { onHolderLost() {}, onListed: () => told.push('all') };
  const options = { monitor, clock, tracker, store, sandboxes, ...heard, logger: silentLogger };
  const follower = new MonitorFollower(options);
  const started = follower.start(10);
  await clock.advanceAsync(10);
  await started;
  assert.equal(follower.isInStep, false);
  await clock.advanceAsync(limits.followRetryMs);
  assert.deepEqual(told, ['list', 'list', 'a', 'all']);
  assert.equal(follower.isInStep, true);
  await follower.close();
});

test('a monitor that is started anew is missed only once it stays away', async () => {
  const clock = new FakeClock();
  let lose = () => {};
  const monitor = {
    async *events({ signal, onLost }: { signal: AbortSignal; onLost: () => void }) {
      lose = onLost;
      yield list;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
  } as unknown as MonitorClient;
  const tracker = { applyStatus() {} } as unknown as ContainerTracker;
  const store = { get: () => ({}), list: () => [] } as unknown as ContainerStore;
  const sandboxes = { get: () => undefined, list: () => [] } as unknown as SandboxStore;
  const heard = { onHolderLost() {}, onListed() {} };
  const options = { monitor, clock, tracker, store, sandboxes, ...heard, logger: silentLogger };
  const follower = new MonitorFollower(options);
  assert.equal(follower.hasMonitor, false);
  await follower.start(10);
  assert.equal(follower.hasMonitor, true);
  lose();
  assert.deepEqual([follower.isInStep, follower.hasMonitor], [false, true]);
  await clock.advanceAsync(limits.monitorPatienceMs);
  lose();
  assert.deepEqual([follower.isInStep, follower.hasMonitor], [false, false]);
  await follower.close();
});
