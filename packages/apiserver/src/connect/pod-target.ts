import { badRequest, type Pod } from '@wherry/kubeapi';
import { as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../requests/request.ts';

/** A container of a pod that runs somewhere. */
export interface PodTarget {
  pod: Pod;
  namespace: string;
  podName: string;
}

/** The pod that a request names. Throws 404. */
export async function readPod(pods: Collection, { info }: ResourceRequest): Promise<PodTarget> {
  const { namespace, name } = info;
  const { object } = await pods.storage.get({ namespace, name });
  return { pod: as<Pod>(object), namespace, podName: name };
}

/** The container that is meant. Throws 400 when it is not clear, or not one of the pod's. */
export function chooseContainer({ pod, podName }: PodTarget, asked: string): string {
  const main = names(pod.spec?.containers);
  const all = [...names(pod.spec?.initContainers), ...main, ...names(pod.spec?.ephemeralContainers)];
  if (asked !== '') {
    if (all.includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${podName}`);
  }
  if (main.length === 1) return main[0]!;
  const choice = main.length === 0 ? '' : `, choose one of: [${all.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${podName}${choice}`);
}

function names(containers: readonly { name: string }[] | undefined): string[] {
  return (containers ?? []).map(({ name }) => name);
}

/** The node of a pod. Throws 400 while it has none. */
export function requireNode({ pod, podName }: PodTarget): string {
  const { nodeName } = pod.spec ?? {};
  if (!nodeName) throw badRequest(`pod ${podName} does not have a host assigned`);
  return nodeName;
}
