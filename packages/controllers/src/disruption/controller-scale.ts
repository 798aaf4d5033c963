import type { DiscoveredResource, KubeClient } from '@wherry/client';
import { type APIResourceList, hasReason, type OwnerReference, type Scale } from '@wherry/kubeapi/objects';
import type { ClusterView } from '../machinery/cluster-view.ts';

/** How many pods a controller asks for, and which controller that is. */
export interface ControllerScale {
  uid: string;
  replicas: number;
}

/**
 * The number of pods that a controller of any kind asks for, by its sub-resource `scale` (upstream: getScaleController);
 * undefined where that controller is gone or another has its name. Throws where its kind is not served or has no scale.
 */
export async function scaleOfAny(
  { client, served }: Pick<ClusterView, 'client' | 'served'>,
  { apiVersion, kind, name, uid }: OwnerReference,
  { namespace, signal }: { namespace: string | undefined; signal: AbortSignal },
): Promise<ControllerScale | undefined> {
  const resource = served.findOfGroup(apiVersion, kind);
  if (!resource) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`);
  const where = resource.namespaced ? { namespace } : {};
  const scales = client.resource(resource);
  try {
    const scale = (await scales.get({ name, ...where, subresource: 'scale', signal })) as Scale;
    return scale.metadata?.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
  // Servers say the same of an object that is not there, and of a custom resource without this part.
  if (await hasScale(client, resource, signal)) return undefined;
  const { plural, group } = resource;
  throw new Error(`${group ? `${plural}.${group}` : plural} does not implement the scale subresource`);
}

/** Whether the server says of a resource that it has that part: who may read scales need not be let read objects. */
async function hasScale(
  client: KubeClient,
  { group, version, plural }: DiscoveredResource,
  signal: AbortSignal,
): Promise<boolean> {
  const steps = group === '' ? ['api', version] : ['apis', group, version];
  const path = `/${steps.map(encodeURIComponent).join('/')}`;
  const { resources = [] } = await client.request<APIResourceList>({ method: 'GET', path, signal });
  return resources.some(({ name, kind }) => name === `${plural}/scale` && kind === 'Scale');
}
