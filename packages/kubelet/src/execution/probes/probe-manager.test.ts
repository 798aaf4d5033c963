import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { container, pod, type RecordedContainer, record } from '../../../test/builders.ts';
import { ProbeManager } from './probe-manager.ts';

const probe = { exec: { command: ['true'] }, periodSeconds: 1 };
const of = pod({ containers: [container('a', { livenessProbe: probe, startupProbe: probe })] });

/** The probes of a pod whose runtime holds what `runs` says. */
function probes(runs: { now: RecordedContainer[] }) {
  const clock = new FakeClock();
  const runtime = {
    execSync: async () => ({ exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }),
  } as unknown as CriClient['runtime'];
  const manager = new ProbeManager({
    runtime,
    clock,
    recorder: { record: () => {} },
    hostIp: '192.0.2.1',
    record: () => record(of, runs.now),
    apiStatus: () => undefined,
    onChanged: () => {},
  });
  manager.add(of);
  return { clock, manager };
}

test('what probes said of a container is forgotten with its successor, and with the pod', async () => {
  const runs: { now: RecordedContainer[] } = { now: [{ name: 'a', state: 'running' }] };
  const { clock, manager } = probes(runs);
  const said = (id: string) => [manager.liveness(id), manager.startup(id)];
  await clock.advanceAsync(5_000);
  assert.deepEqual(said('a-0'), ['success', 'success']);
  runs.now = [{ name: 'a', state: 'running', restartCount: 1 }];
  await clock.advanceAsync(5_000);
  assert.deepEqual(
    [said('a-0'), said('a-1')],
    [
      [undefined, undefined],
      ['success', 'success'],
    ],
  );
  // Its record is gone by now.
  runs.now = [];
  manager.remove(of.metadata.uid);
  assert.deepEqual(said('a-1'), [undefined, undefined]);
});
