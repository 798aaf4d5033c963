/** Short ways to make pods and runtime records for tests. */
import { FakeClock } from '@wherry/clock';
import {
  ContainerState,
  type ContainerStatus as CriContainerStatus,
  NamespaceMode,
  PodSandboxState,
  type PodSandboxStatus,
} from '@wherry/cri';
import type { Container, PodSpec } from '@wherry/kubeapi';
import type { AllocationStore } from '../src/board/allocations.ts';
import type { CsiHost, NfsHost } from '../src/execution/volumes/volume-plugin.ts';
import { emptyPodRecord, type PodRecord } from '../src/observation/pod-record.ts';
import type { Allocation } from '../src/pod/allocation.ts';
import type { AssignedPod } from '../src/pod/assigned-pod.ts';
import { annotationsOf, containerLabels } from '../src/pod/labels.ts';

/** A container with a name and an image. */
export function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: 'demo:1', ...more };
}

/** A node without CSI drivers. */
export const noDrivers: CsiHost = {
  publishInline: () => Promise.reject(new Error('there is no driver')),
  publishClaimed: () => Promise.reject(new Error('there is no driver')),
  keepGrown: () => Promise.reject(new Error('there is no driver')),
  release: async () => {},
};

/** A node without NFS. */
export const noNfs: NfsHost = {
  mount: () => Promise.reject(new Error('there is no NFS')),
  release: async () => {},
};

/** A pod of the given containers. */
export function pod(
  spec: Partial<PodSpec> & { containers: Container[] },
  metadata: object = {},
): AssignedPod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', uid: 'uid-1', ...metadata },
    spec: { restartPolicy: 'Always', ...spec },
  };
}

/** What a container record says that matters to the kubelet. */
export interface RecordedContainer {
  name: string;
  state: 'created' | 'running' | 'exited' | 'unknown';
  exitCode?: number;
  id?: string;
  restartCount?: number;
  /** Image the container was made from, where it is not that of the pod. */
  image?: string;
}

const states = {
  created: ContainerState.CONTAINER_CREATED,
  running: ContainerState.CONTAINER_RUNNING,
  exited: ContainerState.CONTAINER_EXITED,
  unknown: ContainerState.CONTAINER_UNKNOWN,
};

/** A container as the runtime tells of it. */
export function containerStatus(of: AssignedPod, recorded: RecordedContainer): CriContainerStatus {
  const { name, state, exitCode = 0, restartCount = 0, image = 'demo:1' } = recorded;
  return {
    id: recorded.id ?? `${name}-${restartCount}`,
    metadata: { name, attempt: restartCount },
    state: states[state],
    createdAt: BigInt(restartCount + 1) * 1_000_000_000n,
    startedAt: BigInt(restartCount + 1) * 1_000_000_000n,
    finishedAt: state === 'exited' ? BigInt(restartCount + 2) * 1_000_000_000n : 0n,
    exitCode,
    imageRef: 'demo@sha256:1',
    reason: state === 'exited' ? (exitCode === 0 ? 'Completed' : 'Error') : '',
    message: '',
    labels: { [containerLabels.containerName]: name, [containerLabels.podUid]: of.metadata.uid },
    annotations: annotationsOf(of, container(name, { image }), restartCount),
    mounts: [],
    logPath: '',
    imageId: 'sha256:1',
    stopSignal: 0,
  };
}

/** A sandbox as the runtime tells of it. */
export function sandboxStatus(of: AssignedPod, more: Partial<PodSandboxStatus> = {}): PodSandboxStatus {
  const { name, namespace, uid } = of.metadata;
  const network = of.spec.hostNetwork ? NamespaceMode.NODE : NamespaceMode.POD;
  const options = { network, ipc: NamespaceMode.POD, pid: NamespaceMode.CONTAINER, targetId: '' };
  return {
    id: 'sandbox-0',
    metadata: { name, namespace, uid, attempt: 0 },
    state: PodSandboxState.SANDBOX_READY,
    createdAt: 1n,
    network: { ip: '10.0.0.5', additionalIps: [] },
    linux: { namespaces: { options } },
    labels: {},
    annotations: {},
    runtimeHandler: '',
    ...more,
  };
}

/** The record of a pod with one ready sandbox and the given containers, newest first. */
export function record(
  of: AssignedPod,
  containers: RecordedContainer[],
  more: Partial<PodRecord> = {},
): PodRecord {
  return {
    ...emptyPodRecord(of.metadata.uid, new FakeClock()),
    sandboxes: [sandboxStatus(of)],
    containers: containers.map((recorded) => containerStatus(of, recorded)),
    ...more,
  };
}

/** Notes of resources that last as long as the test. */
export function memoryRecords(): AllocationStore {
  const known = new Map<string, Allocation>();
  return {
    of: (uid) => known.get(uid),
    set: (uid, allocation) => void known.set(uid, allocation),
    keep: () => {},
    written: async () => {},
    setContainer(uid, name, resources) {
      const { pod: whole, containers } = known.get(uid) ?? { pod: undefined, containers: new Map() };
      known.set(uid, { pod: whole, containers: new Map([...containers, [name, resources]]) });
    },
    setPod(uid, whole) {
      known.set(uid, { pod: whole, containers: known.get(uid)?.containers ?? new Map() });
    },
  };
}

/** Probes that have said nothing, or what the maps say. */
export function verdicts(said: { liveness?: Record<string, string>; startup?: Record<string, string> } = {}) {
  return {
    liveness: (id: string) => said.liveness?.[id] as 'success' | 'failure' | undefined,
    startup: (id: string) => said.startup?.[id] as 'success' | 'failure' | undefined,
  };
}
