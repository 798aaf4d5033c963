import type { Container } from '@wherry/kubeapi';
import type { AssignedPod } from './assigned-pod.ts';

/** The three lists of a pod in which a container can stand. */
export type ContainerKind = 'regular' | 'init' | 'ephemeral';

/** A container with the list it stands in. */
export interface PodContainer {
  kind: ContainerKind;
  container: Container;
  /** Name of the container whose process namespace an ephemeral container shares. */
  targetContainerName?: string | undefined;
}

/** Every container of the pod: init, regular, ephemeral, each in its declared order. */
export function containersOf(pod: AssignedPod): PodContainer[] {
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec;
  return [
    ...initContainers.map((container) => ({ kind: 'init' as const, container })),
    ...containers.map((container) => ({ kind: 'regular' as const, container })),
    ...ephemeralContainers.map((container) => ({
      kind: 'ephemeral' as const,
      container: container as Container,
      targetContainerName: container.targetContainerName,
    })),
  ];
}

/** The container of that name, or undefined. */
export function findContainer(pod: AssignedPod, name: string): PodContainer | undefined {
  return containersOf(pod).find(({ container }) => container.name === name);
}

/** The field path that events about a container carry. */
export function fieldPathOf({ kind, container }: PodContainer): string {
  const list = { regular: 'containers', init: 'initContainers', ephemeral: 'ephemeralContainers' }[kind];
  return `spec.${list}{${container.name}}`;
}

/** A path inside a container: what does not begin with a slash is below its root, as upstream has it. */
export const containerPathOf = (path: string): string => (path.startsWith('/') ? path : `/${path}`);
