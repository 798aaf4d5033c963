import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { type ContainerStatus, type CriClient, CriError } from '@wherry/cri';
import { container, containerStatus, pod } from '../../test/builders.ts';
import type { NodePaths } from '../ground/node-paths.ts';
import { containerAnnotations } from '../pod/labels.ts';
import { PodInspector } from './inspect-pod.ts';

const of = pod({ containers: [container('a')] });
const { uid } = of.metadata;

/** A runtime that holds what is in the map. */
function runtimeOf(containers: Map<string, ContainerStatus>): CriClient['runtime'] {
  return {
    listPodSandbox: async () => ({ items: [] }),
    listContainers: async () => ({ containers: [...containers.values()] }),
    containerStatus: async ({ containerId }: { containerId: string }) => {
      const status = containers.get(containerId);
      if (!status) throw new CriError('NOT_FOUND', containerId);
      return { status };
    },
  } as unknown as CriClient['runtime'];
}

test('what an ended container left to say is read once, and forgotten when the runtime has it no more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wherry-inspect-'));
  try {
    const hostPath = join(folder, 'message');
    await writeFile(hostPath, 'first');
    const status = containerStatus(of, { name: 'a', state: 'exited', exitCode: 1 });
    const containerPath = '/dev/termination-log';
    const ended = {
      ...status,
      annotations: { ...status.annotations, [containerAnnotations.terminationMessagePath]: containerPath },
      mounts: [{ containerPath, hostPath }],
    } as unknown as ContainerStatus;
    const containers = new Map([[ended.id, ended]]);
    const paths = { podLogsDir: folder, podsDir: folder } as NodePaths;
    const inspector = new PodInspector({ runtime: runtimeOf(containers), clock: new FakeClock(), paths });
    const message = async () => (await inspector.inspect(uid)).containers[0]?.message;
    assert.equal(await message(), 'first');
    await writeFile(hostPath, 'second');
    assert.equal(await message(), 'first');
    containers.clear();
    assert.equal(await message(), undefined);
    containers.set(ended.id, ended);
    assert.equal(await message(), 'second');
    await writeFile(hostPath, 'third');
    inspector.forget(uid);
    assert.equal(await message(), 'third');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the last attempt of a sandbox comes first, also where the clock was set back', async () => {
  const made = [
    { id: 'b', createdAt: 5n, metadata: { attempt: 1 } },
    { id: 'd', createdAt: 9n, metadata: { attempt: 0 } },
    { id: 'a', createdAt: 5n, metadata: { attempt: 1 } },
    { id: 'c', createdAt: 4n, metadata: { attempt: 2 } },
  ];
  const runtime = {
    ...runtimeOf(new Map()),
    listPodSandbox: async () => ({ items: made }),
    podSandboxStatus: async ({ podSandboxId }: { podSandboxId: string }) => ({
      ...{ status: made.find(({ id }) => id === podSandboxId), timestamp: 0n, containersStatuses: [] },
    }),
  } as unknown as CriClient['runtime'];
  const paths = { podLogsDir: '', podsDir: '' } as NodePaths;
  const inspector = new PodInspector({ runtime, clock: new FakeClock(), paths });
  const { sandboxes } = await inspector.inspect(uid);
  assert.deepEqual(
    sandboxes.map(({ id }) => id),
    ['c', 'a', 'b', 'd'],
  );
});
