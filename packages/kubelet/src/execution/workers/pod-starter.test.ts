import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import { container, pod, record } from '../../../test/builders.ts';
import { type PodPass, PodStarter } from './pod-starter.ts';

test('a pass whose kill of one container fails is over once the others have ended', async () => {
  const slow = Promise.withResolvers<void>();
  const killer = {
    kill: ({ containerId }: { containerId: string }) =>
      containerId === 'slow' ? slow.promise : Promise.reject(new Error('the runtime is away')),
  };
  const starter = new PodStarter({ killer, metrics: new MetricsRegistry() } as never);
  const containers = [container('a'), container('b')];
  const of = pod({ containers });
  const kill = (containerId: string, at: number) => ({
    ...{ containerId, target: { kind: 'regular', container: containers[at] }, message: 'killing' },
    cause: 'changed',
  });
  const pass = {
    pod: of,
    record: record(of, []),
    actions: { killPod: false, announceSandbox: false, kill: [kill('broken', 0), kill('slow', 1)] },
    graceSeconds: 30,
    signal: new AbortController().signal,
  } as unknown as PodPass;
  let isOver = false;
  const run = starter.run(pass).finally(() => {
    isOver = true;
  });
  run.catch(() => {});
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isOver, false, 'the next pass would kill the slow one a second time, hooks and all');
  slow.resolve();
  await assert.rejects(run, /the runtime is away/);
});
