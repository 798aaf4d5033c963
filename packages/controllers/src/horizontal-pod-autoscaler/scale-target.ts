import type { DiscoveredResource, KubeClient } from '@wherry/client';
import {
  type HorizontalPodAutoscaler,
  hasReason,
  parseApiVersion,
  type Scale,
} from '@wherry/kubeapi/objects';
import { limits } from '../limits.ts';
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

/** Asks for so many replicas. What others wrote of the target meanwhile is no hindrance: its own controller does, all the time. */
export async function rescale(
  client: KubeClient,
  { resource, scale: known }: ScaleTarget,
  replicas: number,
  signal: AbortSignal,
): Promise<void> {
  const target = client.resource(resource);
  let scale = known;
  for (let attempt = 1; ; attempt += 1) {
    const next = { ...scale, spec: { ...scale.spec, replicas } };
    try {
      await target.update(next, { subresource: 'scale', signal });
      return;
    } catch (error) {
      if (!hasReason(error, 'Conflict') || attempt >= limits.conflictAttemptsMax) throw error;
    }
    const { name = '', namespace } = known.metadata ?? {};
    const found = await target.get({ name, namespace, subresource: 'scale', signal });
    scale = found as Scale;
  }
}
