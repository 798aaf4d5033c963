import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContainerState, PodSandboxState } from '@wherry/cri';
import { isLivePod, runtimeSnapshot } from './runtime-snapshot.ts';

const sandbox = (uid: string, state: PodSandboxState) =>
  ({ id: `sandbox of ${uid}`, state, metadata: { uid } }) as never;
const container = (uid: string, state: ContainerState) =>
  ({ id: `container of ${uid}`, state, labels: { 'io.kubernetes.pod.uid': uid } }) as never;

test('a pod is live while its sandbox stands or a container of it may run', () => {
  const snapshot = runtimeSnapshot(
    [sandbox('ready', PodSandboxState.SANDBOX_READY), sandbox('over', PodSandboxState.SANDBOX_NOTREADY)],
    [
      container('over', ContainerState.CONTAINER_EXITED),
      container('running', ContainerState.CONTAINER_RUNNING),
      container('lost', ContainerState.CONTAINER_UNKNOWN),
      container('made', ContainerState.CONTAINER_CREATED),
    ],
  );
  const live = ['ready', 'over', 'running', 'lost', 'made', 'unknown'].filter((uid) =>
    isLivePod(snapshot.get(uid)),
  );
  assert.deepEqual(live, ['ready', 'running', 'lost']);
});
