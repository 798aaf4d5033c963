import { allContainers, type Container, type Pod, type PodSpec } from '@wherry/kubeapi';

/** Why a pod does not pass a check, short and in detail, in upstream's words. */
export interface Violation {
  reason: string;
  detail: string;
}

/** Looks at a pod; undefined when it passes. */
export type PodCheck = (pod: Pod) => Violation | undefined;

/** One rule of the Pod Security Standards, as it stood from each minor version of 1.x on. */
export interface Check {
  id: string;
  level: 'baseline' | 'restricted';
  versions: readonly {
    sinceMinor: number;
    check: PodCheck;
    /** Checks of the baseline that this one contains. */
    overrides?: readonly string[];
  }[];
}

/** `"a", "b"`. */
export function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `"${text}"`).join(', ');
}

/** `thing` or `things`. */
export function plural(singular: string, count: number): string {
  return count === 1 ? singular : `${singular}s`;
}

/** `container "a"`, `containers "a", "b"`. */
export function containersText(names: readonly string[]): string {
  return `${plural('container', names.length)} ${quoted(names)}`;
}

/** `pod`, `pod and container "a"`, `containers "a", "b"`. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ['pod'] : []), ...(containers.length > 0 ? [containersText(containers)] : [])].join(
    ' and ',
  );
}

/** Names of the containers, of all kinds, for which `isBad` holds. */
export function badContainers(pod: Pod, isBad: (container: Container) => boolean): string[] {
  return containersOf(pod)
    .filter(isBad)
    .map(({ name }) => name);
}

/** Init, regular and ephemeral containers, in this order. */
export function containersOf({ spec }: Pod): Container[] {
  return spec ? allContainers(spec) : [];
}

/** Sorted by bytes, without repeats, as Go's sets list themselves. */
export function sortedSet(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

/** True for Windows pods, which several rules leave alone. */
export function isWindows({ spec }: Pod): boolean {
  return spec?.os?.name === 'windows';
}

/** True for pods in a user namespace, whose root is nobody outside. */
export function hasUserNamespace(spec: PodSpec | undefined): boolean {
  return spec?.hostUsers === false;
}
