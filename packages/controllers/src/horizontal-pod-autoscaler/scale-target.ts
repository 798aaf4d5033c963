import type { DiscoveredResource, KubeClient } from '@wherry/client';
import { type HorizontalPodAutoscaler, parseApiVersion, type Scale } from '@wherry/kubeapi/objects';
import { againOnConflict } from '../machinery/again-on-conflict.ts';
import type { ClusterView } from '../machinery/cluster-view.ts';

/** What an autoscaler scales: whatever has the sub-resource `scale`. */
export interface ScaleTarget {
  resource: DiscoveredResource;
  scale: Scale;
  /** Replicas that are asked for now, and that the target says are there. */
  current: number;
  present: number;
}

/** Finds the target, in the version that the autoscaler names or another. Throws where there is none, or no scale. */
export async function findTarget(
  { client, served }: ClusterView,
  { metadata: { namespace }, spec }: HorizontalPodAutoscaler,
  signal: AbortSignal,
): Promise<ScaleTarget> {
  const { apiVersion = '', kind, name } = spec.scaleTargetRef;
  const { group = '' } = parseApiVersion(apiVersion) ?? {};
  const resource = served.findOfGroup(apiVersion, kind);
  if (!resource) throw new Error(`no matches for kind "${kind}" in group "${group}"`);
  const found = await client.resource(resource).get({ namespace, name, subresource: 'scale', signal });
  const scale = found as Scale;
  return { resource, scale, current: scale.spec?.replicas ?? 0, present: scale.status?.replicas ?? 0 };
}

/** Asks for so many replicas. What others wrote of the target meanwhile is no hindrance: its own controller does, all the time. */
export async function rescale(
  client: KubeClient,
  { resource, scale: known }: ScaleTarget,
  replicas: number,
  signal: AbortSignal,
): Promise<void> {
  const target = client.resource(resource);
  const { name = '', namespace } = known.metadata ?? {};
  await againOnConflict(async (attempt) => {
    const scale =
      attempt === 1
        ? known
        : ((await target.get({ name, namespace, subresource: 'scale', signal })) as Scale);
    const next = { ...scale, spec: { ...scale.spec, replicas } };
    await target.update(next, { subresource: 'scale', signal });
  });
}
