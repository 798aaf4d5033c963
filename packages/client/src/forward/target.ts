import type { LabelSelector, Pod, Service } from '@wherry/kubeapi/objects';
import { ClientError } from '../errors.ts';
import { deployments, pods, replicaSets, services } from '../generated/kinds.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import type { KubeObject, ResourceType } from '../objects/objects.ts';
import { resourceType } from '../objects/resource-type.ts';
import { selectorText } from '../resources/selector-text.ts';
import { forSessions } from './pod-order.ts';

/** Kinds that pods can be found by. */
export type ForwardKind =
  | 'pod'
  | 'service'
  | 'deployment'
  | 'replicaset'
  | 'replicationcontroller'
  | 'statefulset'
  | 'daemonset'
  | 'job';

/** What a port is forwarded to; any kind but `pod` stands for one of its pods, chosen anew when that one goes. */
export interface ForwardTarget {
  kind: ForwardKind;
  name: string;
  /** Default: the client's namespace. */
  namespace?: string | undefined;
}

/** The pod that stands behind a target now, and the service that it was found by. */
export interface ResolvedTarget {
  pod: Pod;
  service?: Service;
}

interface Workload extends KubeObject {
  spec: { selector?: LabelSelector | Record<string, string> };
}

const workloads: Partial<Record<ForwardKind, ResourceType>> = {
  deployment: deployments,
  replicaset: replicaSets,
  replicationcontroller: resourceType('', 'v1', 'replicationcontrollers'),
  statefulset: resourceType('apps', 'v1', 'statefulsets'),
  daemonset: resourceType('apps', 'v1', 'daemonsets'),
  job: resourceType('batch', 'v1', 'jobs'),
};

/** The pods that stand behind a target, the best one first, and the service that they were found by. */
export interface TargetPods {
  pods: Pod[];
  service?: Service;
  /** What they were found by, as the query parameter spells it; undefined for a pod. */
  labelSelector?: string;
}

/** Finds the pod to forward to. Throws `StatusError`, or `ClientError` `bad-argument` when there is none. */
export async function resolveTarget(
  client: KubeClient,
  target: ForwardTarget,
  signal?: AbortSignal,
): Promise<ResolvedTarget> {
  const { pods: found, service, labelSelector } = await findTargetPods(client, target, signal);
  // Of what is on its way out the next connection would find nothing.
  const pod = target.kind === 'pod' ? found[0] : found.find(({ metadata }) => !metadata.deletionTimestamp);
  if (!pod) {
    throw new ClientError(
      'bad-argument',
      `no pod is behind ${target.kind} "${target.name}" (selector "${labelSelector}")`,
    );
  }
  return service ? { pod, service } : { pod };
}

/** Finds all pods behind a target, those that are being deleted behind the others. Throws `StatusError` when the target is not there. */
export async function findTargetPods(
  client: KubeClient,
  target: ForwardTarget,
  signal?: AbortSignal,
): Promise<TargetPods> {
  const { kind, name } = target;
  const namespace = target.namespace ?? client.access.namespace;
  const key = { name, namespace, signal };
  if (kind === 'pod') return { pods: [await client.resource(pods).get(key)] };
  if (kind === 'service') {
    const service = await client.resource(services).get(key);
    const { selector = {} } = service.spec;
    if (Object.keys(selector).length === 0) {
      throw new ClientError(
        'bad-argument',
        `cannot attach to *v1.Service: invalid service '${name}': Service is defined without a selector`,
      );
    }
    const labelSelector = selectorText({ matchLabels: selector });
    return { service, labelSelector, pods: await selectPods(client, namespace, labelSelector, signal) };
  }
  const type = workloads[kind];
  if (!type) throw new ClientError('bad-argument', `ports can't be forwarded to a ${kind}`);
  const workload = await client.resource(type as ResourceType<Workload>).get(key);
  const labelSelector = selectorText(asLabelSelector(workload.spec.selector ?? {}));
  return { labelSelector, pods: await selectPods(client, namespace, labelSelector, signal) };
}

/** A replication controller's selector is a plain mapping. */
function asLabelSelector(selector: NonNullable<Workload['spec']['selector']>): LabelSelector {
  const isFull = 'matchLabels' in selector || 'matchExpressions' in selector;
  return isFull ? selector : { matchLabels: selector as Record<string, string> };
}

async function selectPods(
  client: KubeClient,
  namespace: string,
  labelSelector: string,
  signal?: AbortSignal,
): Promise<Pod[]> {
  const { items } = await client.resource(pods).listAll({ namespace, labelSelector, signal });
  return items.sort(forSessions);
}
