import { NamespaceMode, PodSandboxState } from '@wherry/cri';
import { type AssignedPod, isHostNetwork } from '../pod/assigned-pod.ts';
import type { PodRecord } from './pod-record.ts';

/** Whether a pod needs a new sandbox. */
export interface SandboxChange {
  changed: boolean;
  /** Attempt number of the sandbox to create, or of the present one. */
  attempt: number;
  /** The present sandbox; '' when there is none. */
  sandboxId: string;
  /** False where upstream tells nobody: the pod's first sandbox, or a changed network mode. */
  announced: boolean;
}

/** Compares the pod's newest sandbox with what the pod needs. */
export function sandboxChange(pod: AssignedPod, record: PodRecord): SandboxChange {
  const [newest] = record.sandboxes;
  if (!newest) return { changed: true, attempt: 0, sandboxId: '', announced: false };
  const attempt = newest.metadata?.attempt ?? 0;
  const again = { changed: true, attempt: attempt + 1, sandboxId: newest.id, announced: true };
  const ready = record.sandboxes.filter(({ state }) => state === PodSandboxState.SANDBOX_READY);
  if (ready.length > 1 || newest.state !== PodSandboxState.SANDBOX_READY) return again;
  const wanted = isHostNetwork(pod) ? NamespaceMode.NODE : NamespaceMode.POD;
  const network = newest.linux?.namespaces?.options?.network ?? NamespaceMode.POD;
  if (network !== wanted) return { ...again, announced: false };
  if (!isHostNetwork(pod) && newest.network && newest.network.ip === '') return again;
  return { changed: false, attempt, sandboxId: newest.id, announced: false };
}
