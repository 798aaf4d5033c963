import type { KubeObject } from '@wherry/client';
import { type Container, type PodSpec, parseApiVersion } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { podSpecOf } from '../../objects/pod-spec-of.ts';

/** What an object says of a pod. Throws `CommandError` for an object that is about no pods. */
export function requirePodSpec(object: KubeObject): PodSpec {
  const spec = podSpecOf(object);
  if (spec) return spec;
  const { apiVersion = '', kind } = object;
  const version = parseApiVersion(apiVersion)?.version;
  throw new CommandError(`the object is not a pod or does not have a pod template: *${version}.${kind}`);
}

/** Those containers whose names match, the ones that run before the others last. */
export function containersNamed(spec: PodSpec, pattern: string): Container[] {
  const { containers = [], initContainers = [] } = spec;
  return [...containers, ...initContainers].filter(({ name }) => matches(name, pattern));
}

/**
 * `*` stands for anything, as in kubectl: each part of the pattern is looked for once, from where the one before it was found, and
 * the first one may stand anywhere.
 */
function matches(name: string, pattern: string): boolean {
  if (pattern === '*') return true;
  const parts = pattern.split('*');
  if (parts.length === 1) return name === pattern;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (part === '') continue;
    const next = name.slice(at).indexOf(part);
    const isLast = index === parts.length - 1;
    if (next < at || (isLast && name.length !== next + part.length)) return false;
    at = next;
  }
  return true;
}
