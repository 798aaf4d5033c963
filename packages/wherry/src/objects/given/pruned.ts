import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { type Catalog, withType } from '../catalog.ts';
import type { FoundObject } from '../find-objects.ts';
import { lastAppliedAnnotation } from '../manifests/last-applied.ts';

/** The kinds that are pruned unless others are named (kubectl's util/prune). */
const prunedKinds = [
  ...['core/v1/ConfigMap', 'core/v1/Endpoints', 'core/v1/PersistentVolumeClaim', 'core/v1/Pod'],
  ...[
    'core/v1/ReplicationController',
    'core/v1/Secret',
    'core/v1/Service',
    'batch/v1/Job',
    'batch/v1/CronJob',
  ],
  ...['networking.k8s.io/v1/Ingress', 'apps/v1/DaemonSet', 'apps/v1/Deployment', 'apps/v1/ReplicaSet'],
  ...['apps/v1/StatefulSet', 'core/v1/Namespace', 'core/v1/PersistentVolume'],
];

/** The resources of `GROUP/VERSION/KIND` words. Throws `CommandError` for others, and for what the server does not have. */
export function prunedResources(
  words: readonly string[] | undefined,
  catalog: Catalog,
): DiscoveredResource[] {
  return (words?.length ? words : prunedKinds).map((word) => {
    const [group = '', version = '', kind = '', ...more] = word.split('/');
    if (kind === '' || more.length > 0) {
      throw new CommandError(`invalid GroupVersionKind format: ${word}, please follow <group/version/kind>`);
    }
    return catalog.ofObject({ apiVersion: group === 'core' ? version : `${group}/${version}`, kind });
  });
}

/** Where pruning looks. */
export interface Pruning {
  client: KubeClient;
  resources: readonly DiscoveredResource[];
  /** Those of the files. */
  namespaces: ReadonlySet<string>;
  /** UIDs of the objects of the files, which stay. */
  kept: ReadonlySet<string>;
  selector: string | undefined;
  signal?: AbortSignal;
}

/** The objects that client-side apply has made, and that the files no longer have. */
export async function prunedObjects({
  client,
  resources,
  namespaces,
  kept,
  selector,
  signal,
}: Pruning): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  const inNamespaces = resources.filter(({ namespaced }) => namespaced);
  const ofCluster = resources.filter(({ namespaced }) => !namespaced);
  for (const namespace of [...namespaces, undefined]) {
    for (const resource of namespace === undefined ? ofCluster : inNamespaces) {
      const { items } = await client
        .resource<KubeObject>(resource)
        .listAll({ namespace, labelSelector: selector, signal });
      for (const item of items) {
        const { annotations, uid = '', name = '' } = item.metadata ?? {};
        if (annotations?.[lastAppliedAnnotation] === undefined || kept.has(uid)) continue;
        found.push({ resource, name, namespace, object: withType(resource, item) });
      }
    }
  }
  return found;
}
