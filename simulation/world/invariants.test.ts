import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { RuntimeServiceHandlers } from '@wherry/cri';
import { FakeApi } from '../api/fake-api.ts';
import { fakeRuntimeHandlers } from '../runtime/fake-handlers.ts';
import { FakeRuntime } from '../runtime/fake-runtime.ts';
import { fakeView } from '../runtime/fake-view.ts';
import { differences, Invariants } from './invariants.ts';

const context = { signal: new AbortController().signal };
const pods = '/api/v1/namespaces/default/pods';

function setUp() {
  const clock = new FakeClock();
  const api = new FakeApi(clock);
  const runtime = new FakeRuntime(clock);
  let phase: 'syncing' | 'terminating' = 'syncing';
  const containers = fakeView(runtime);
  const invariants = new Invariants({ api, containers, phaseOf: () => phase });
  const stop = () => {
    phase = 'terminating';
  };
  return { clock, api, containers, invariants, stop, handlers: fakeRuntimeHandlers(runtime) };
}

async function create(
  handlers: RuntimeServiceHandlers,
  clock: FakeClock,
  uid: string,
  attempts: number[],
): Promise<string[]> {
  const config = {
    metadata: { name: 'a', namespace: 'default', uid, attempt: 0 },
    labels: {},
    annotations: {},
  };
  const sandbox = handlers.runPodSandbox?.({ config, runtimeHandler: '' } as never, context);
  await clock.advanceAsync(100);
  const { podSandboxId } = (await sandbox) as { podSandboxId: string };
  const ids: string[] = [];
  for (const attempt of attempts) {
    const labels = { 'io.kubernetes.pod.uid': uid };
    const container = {
      metadata: { name: 'c', attempt },
      command: ['run'],
      args: [],
      labels,
      annotations: {},
    };
    const made = handlers.createContainer?.({ podSandboxId, config: container } as never, context);
    await clock.advanceAsync(100);
    ids.push(((await made) as { containerId: string }).containerId);
  }
  return ids;
}

test('a second container of one name that starts beside the first is seen', async () => {
  const { clock, handlers, invariants } = setUp();
  for (const containerId of await create(handlers, clock, 'u', [0, 1]))
    await handlers.startContainer?.({ containerId }, context);
  assert.match(invariants.violation?.message ?? '', /two containers "c" of pod u run at once/);
});

test('a start that is asked for in a pod that began to stop is seen', () => {
  const { invariants, stop } = setUp();
  stop();
  invariants.starting('u');
  assert.match(invariants.violation?.message ?? '', /is to start after the pod began to stop/);
});

test('a final phase that is left is seen', () => {
  const { api, invariants } = setUp();
  api.handle({
    method: 'POST',
    path: pods,
    body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, status: { phase: 'Failed' } },
  });
  api.handle({ method: 'PATCH', path: `${pods}/a/status`, body: { status: { phase: 'Running' } } });
  assert.match(invariants.violation?.message ?? '', /left its final phase Failed for Running/);
});

test('a container of a pod that nobody wants is a difference', async () => {
  const { clock, api, containers, handlers } = setUp();
  const [containerId = ''] = await create(handlers, clock, 'u', [0]);
  await handlers.startContainer?.({ containerId }, context);
  assert.deepEqual(differences(api, containers), ['container c of pod u, which nobody wants, runs']);
});
