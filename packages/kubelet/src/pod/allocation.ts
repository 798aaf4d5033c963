import { type Container, parseQuantity, type ResourceRequirements } from '@wherry/kubeapi';
import type { AssignedPod } from './assigned-pod.ts';

/** Resources of a pod and its containers, apart from the pod itself. */
export interface Allocation {
  /** What the pod declares as a whole. */
  pod: ResourceRequirements | undefined;
  containers: ReadonlyMap<string, ResourceRequirements>;
}

/** What a pod's spec asks for. */
export function allocationOf({ spec }: AssignedPod): Allocation {
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  return {
    pod: spec.resources,
    containers: new Map(containers.map(({ name, resources }) => [name, resources ?? {}])),
  };
}

/** The pod with those resources instead of its own; itself where they are the same, or not known. */
export function withAllocation(pod: AssignedPod, allocation: Allocation | undefined): AssignedPod {
  if (!allocation) return pod;
  const given = (container: Container): Container => {
    const resources = allocation.containers.get(container.name);
    return !resources || isSameResources(container.resources, resources)
      ? container
      : { ...container, resources };
  };
  const containers = pod.spec.containers.map(given);
  const initContainers = pod.spec.initContainers?.map(given);
  const isSamePod = isSameResources(pod.spec.resources, allocation.pod);
  const isSame = (after: readonly Container[] | undefined, before: readonly Container[] | undefined) =>
    (after ?? []).every((container, index) => container === before?.[index]);
  if (isSamePod && isSame(containers, pod.spec.containers) && isSame(initContainers, pod.spec.initContainers))
    return pod;
  const { resources: own, ...rest } = pod.spec;
  const resources = isSamePod ? own : allocation.pod;
  return {
    ...pod,
    spec: {
      ...rest,
      containers,
      ...(initContainers ? { initContainers } : {}),
      ...(resources ? { resources } : {}),
    },
  };
}

/** Whether both say the same amounts, however they are written; nothing said is no amount. */
export function isSameResources(
  one: ResourceRequirements | undefined,
  other: ResourceRequirements | undefined,
): boolean {
  return (['requests', 'limits'] as const).every((side) => {
    const [left, right] = [one, other].map((each) => new Map(Object.entries(each?.[side] ?? {})));
    if (left?.size !== right?.size) return false;
    return [...(left ?? [])].every(([name, amount]) => {
      const beside = right?.get(name);
      return beside !== undefined && parseQuantity(amount).cmp(parseQuantity(beside)) === 0;
    });
  });
}

/** Whether both give the same to the same containers, and to the pod as a whole. */
export function isSameAllocation(one: Allocation, other: Allocation): boolean {
  if (one.containers.size !== other.containers.size || !isSameResources(one.pod, other.pod)) return false;
  return [...one.containers].every(([name, resources]) => {
    const beside = other.containers.get(name);
    return beside !== undefined && isSameResources(resources, beside);
  });
}
