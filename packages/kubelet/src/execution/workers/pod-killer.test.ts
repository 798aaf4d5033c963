import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, sleep } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod, record } from '../../../test/builders.ts';
import { ContainerKiller } from '../container/container-killer.ts';
import { hookFigures } from '../container/hooks.ts';
import { PodKiller } from './pod-killer.ts';

/** Hooks that take `hookSeconds` and containers that stop after one second, on a clock that the test drives. */
function bench(hookSeconds: number) {
  const clock = new FakeClock();
  const calls: string[] = [];
  const note = (what: string) => calls.push(`${Math.round(clock.monotonicMs() / 1_000)} ${what}`);
  const wait = (seconds: number, signal?: AbortSignal) =>
    sleep({ clock, delayMs: seconds * 1_000, ...(signal && { signal }) });
  const runtime = {
    async execSync({ containerId }: { containerId: string }, { signal }: { signal?: AbortSignal }) {
      note(`hook ${containerId}`);
      await wait(hookSeconds, signal).catch((error: unknown) => {
        note(`cut ${containerId}`);
        throw error;
      });
      return { exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    },
    async stopContainer({ containerId, timeout }: { containerId: string; timeout: number }) {
      note(`stop ${containerId} within ${timeout}`);
      await wait(1);
    },
  } as unknown as CriClient['runtime'];
  const recorder = { record: () => {} };
  const hooks = hookFigures(new MetricsRegistry());
  const killer = new ContainerKiller({ runtime, clock, recorder, requestTimeoutMs: 1_000, hooks });
  return { clock, calls, podKiller: new PodKiller({ runtime, killer }) };
}

async function kill(hookSeconds: number, graceSeconds: number): Promise<string[]> {
  const { clock, calls, podKiller } = bench(hookSeconds);
  const lifecycle = { preStop: { exec: { command: ['true'] } } };
  const sidecar = (name: string) => container(name, { restartPolicy: 'Always', lifecycle });
  const of = pod({ containers: [container('main')], initContainers: [sidecar('a'), sidecar('b')] });
  const containers = ['a', 'b', 'main'].map((name) => ({ name, id: name, state: 'running' as const }));
  const killed = podKiller.kill({
    ...{ pod: of, record: record(of, containers, { sandboxes: [] }) },
    ...{ graceSeconds, signal: new AbortController().signal },
  });
  for (let second = 0; second < 60; second += 1) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    await clock.advanceAsync(1_000);
  }
  await killed;
  return calls;
}

test('hooks of sidecars run at once, and each sidecar stops once all behind it have', async () => {
  assert.deepEqual(await kill(2, 30), [
    ...['0 stop main within 30', '0 hook b', '0 hook a'],
    ...['2 stop b within 28', '3 stop a within 27'],
  ]);
});

test('sidecars whose hooks take all of the grace stop together', async () => {
  const calls = await kill(100, 10);
  assert.deepEqual(calls.slice(0, 3), ['0 stop main within 10', '0 hook b', '0 hook a']);
  assert.deepEqual(calls.slice(3, 5).sort(), ['10 stop a within 2', '10 stop b within 2']);
});

test('a hook that takes all of the grace runs on until its container has stopped', async () => {
  const calls = await kill(100, 10);
  assert.deepEqual(calls.slice(5).sort(), ['11 cut a', '11 cut b']);
});
