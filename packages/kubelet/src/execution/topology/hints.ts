import type { Container } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { NodeMask } from './memory-nodes.ts';

/** Memory nodes that something could be given from. */
export interface Hint {
  /** Undefined for any. */
  nodes: NodeMask | undefined;
  /** No fewer nodes would do, were nothing given away yet. */
  isPreferred: boolean;
}

/** Where each resource could come from: undefined for a resource that may come from anywhere, none where it can't come at all. */
export type ResourceHints = ReadonlyMap<string, readonly Hint[] | undefined>;

/** Nothing is asked for that has a place. */
export const noHints: ResourceHints = new Map();

/** No word of where anything should come from. */
export const anywhere: Hint = { nodes: undefined, isPreferred: false };

/** What is known when a pod is taken in. */
export interface AllocationRequest {
  /** Sources of pods have not all spoken: the pod may have run before this kubelet. */
  isStarting: boolean;
  /** Whether a container of the pod runs already: then it has what it was given. */
  isRunning(container: string): boolean;
  /** Whether the pod has gone past this init container: another one was made after it. */
  isPast(container: string): boolean;
}

/** Who gives containers something that has a place on the machine. */
export interface HintProvider {
  /** From where a container could have what it asks for. */
  hintsOf(pod: AssignedPod, container: Container, request: AllocationRequest): ResourceHints;
  /** The same for all containers of a pod together. */
  podHintsOf(pod: AssignedPod, request: AllocationRequest): ResourceHints;
  /** Gives it, from there if it can. Throws why not. */
  allocate(
    pod: AssignedPod,
    container: Container,
    from: Hint,
    request: AllocationRequest,
  ): void | Promise<void>;
}

/** Init containers first: what they had is given to others. Ephemeral ones have no resources. */
export function containersWithResources({ spec }: AssignedPod): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}
