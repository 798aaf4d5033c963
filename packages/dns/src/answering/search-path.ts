import type { ClusterIndex } from '../cluster/cluster-index.ts';
import type { ClusterZone } from '../cluster/cluster-zone.ts';
import type { PodSearches } from '../cluster/pod-searches.ts';
import { recordTypes } from '../wire/codes.ts';
import { labelsBelow, labelsOf, type Name } from '../wire/name.ts';

/** What is needed to know how a pod searches. */
export interface SearchPathOptions {
  index: ClusterIndex;
  pods: PodSearches;
  zone: ClusterZone;
  /** What the machine's resolv.conf adds to each pod's. */
  hostSearches(): readonly Name[];
}

/**
 * The names that a pod would ask for one after the other, now that the first of its search path is not there: whoever
 * asked for `example.com` in namespace `a` has sent `example.com.a.svc.cluster.local`. They are asked for here, so that
 * the pod needs one question instead of five (CoreDNS' `autopath`). Undefined where nothing of the kind was asked.
 *
 * Not for names of one label, which are the cluster's own, nor below a service of the namespace: a pod that is not ready
 * yet is not to be mistaken for a host of the internet.
 */
export function searchedNames(
  { index, pods, zone, hostSearches }: SearchPathOptions,
  { name, type, client }: { name: Name; type: number; client: string },
): Name[] | undefined {
  if (type !== recordTypes.A && type !== recordTypes.AAAA) return undefined;
  const namespace = pods.namespaceOf(client);
  if (namespace === undefined) return undefined;
  const base = labelsBelow(labelsOf(name), [namespace, 'svc', ...labelsOf(zone.domain)]);
  const last = base?.at(-1);
  if (!base || base.length < 2 || last === undefined || index.service(last, namespace)) return undefined;
  if (base.some((label) => label.startsWith('_'))) return undefined;
  const asked = base.join('.');
  const searches = [`svc.${zone.domain}`, zone.domain, ...hostSearches()];
  return [...searches.map((search) => `${asked}.${search}`), asked];
}
