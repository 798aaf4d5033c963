import type { DiscoveredResource } from '@wherry/client';
import { type HorizontalPodAutoscaler, parseApiVersion, type Scale } from '@wherry/kubeapi/objects';
import type { ClusterView } from '../machinery/cluster-view.ts';

/** What an autoscaler scales: whatever has the sub-resource `scale`. */
export interface ScaleTarget {
  resource: DiscoveredResource;
  scale: Scale;
  /** Replicas that are asked for now. */
  current: number;
}

/** Finds the target, in the version that the autoscaler names or another. Throws where there is none, or no scale. */
export async function findTarget(
  { client, served }: ClusterView,
  { metadata: { namespace }, spec }: HorizontalPodAutoscaler,
  signal: AbortSignal,
): Promise<ScaleTarget> {
  const { apiVersion = '', kind, name } = spec.scaleTargetRef;
  const { group = '' } = parseApiVersion(apiVersion) ?? {};
  const resource =
    served.find(apiVersion, kind) ??
    served.withVerbs('get').find((each) => each.group === group && each.kind === kind);
  if (!resource) throw new Error(`no matches for kind "${kind}" in group "${group}"`);
  const found = await client.resource(resource).get({ namespace, name, subresource: 'scale', signal });
  const scale = found as Scale;
  return { resource, scale, current: scale.spec?.replicas ?? 0 };
}
