import type { LabelSelector, Pod, Service } from '@wherry/kubeapi';
import { ClientError } from '../errors.ts';
import { deployments, pods, replicaSets, resourceType, services } from '../kinds.ts';
import type { KubeClient } from '../kube-client.ts';
import type { KubeObject, ResourceType } from '../objects.ts';

/** Kinds that pods can be found by. */
export type ForwardKind =
  | 'pod'
  | 'service'
  | 'deployment'
  | 'replicaset'
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
  spec: { selector?: LabelSelector };
}

const workloads: Partial<Record<ForwardKind, ResourceType>> = {
  deployment: deployments,
  replicaset: replicaSets,
  statefulset: resourceType('apps', 'v1', 'statefulsets'),
  daemonset: resourceType('apps', 'v1', 'daemonsets'),
  job: resourceType('batch', 'v1', 'jobs'),
};

/** Finds the pod to forward to. Throws `StatusError`, or `ClientError` `bad-argument` when there is none. */
export async function resolveTarget(
  client: KubeClient,
  target: ForwardTarget,
  signal?: AbortSignal,
): Promise<ResolvedTarget> {
  const { kind, name } = target;
  const namespace = target.namespace ?? client.access.namespace;
  const key = { name, namespace, signal };
  if (kind === 'pod') return { pod: await client.resource(pods).get(key) };
  if (kind === 'service') {
    const service = await client.resource(services).get(key);
    const { selector = {} } = service.spec;
    if (Object.keys(selector).length === 0) {
      throw new ClientError(
        'bad-argument',
        `cannot attach to *v1.Service: invalid service '${name}': Service is defined without a selector`,
      );
    }
    return {
      service,
      pod: await choosePod(client, namespace, selectorText({ matchLabels: selector }), target, signal),
    };
  }
  const type = workloads[kind];
  if (!type) throw new ClientError('bad-argument', `ports can't be forwarded to a ${kind}`);
  const workload = await client.resource(type as ResourceType<Workload>).get(key);
  const selector = selectorText(workload.spec.selector ?? {});
  return { pod: await choosePod(client, namespace, selector, target, signal) };
}

/** Ready pods come first, then running ones, then the newest. */
async function choosePod(
  client: KubeClient,
  namespace: string,
  labelSelector: string,
  { kind, name }: ForwardTarget,
  signal?: AbortSignal,
): Promise<Pod> {
  const { items } = await client.resource(pods).listAll({ namespace, labelSelector, signal });
  const candidates = items.filter(({ metadata }) => !metadata.deletionTimestamp);
  const [best] = candidates.sort((left, right) => rank(right) - rank(left));
  if (!best)
    throw new ClientError('bad-argument', `no pod is behind ${kind} "${name}" (selector "${labelSelector}")`);
  return best;
}

function rank(pod: Pod): number {
  const isReady = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  if (isReady) return 2;
  return pod.status?.phase === 'Running' ? 1 : 0;
}

/** A label selector as the query parameter spells it. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const equalities = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...equalities, ...expressions].join(',');
}
