import { hasReason, type OwnerReference, type Scale } from '@wherry/kubeapi/objects';
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
  const get = async (subresource?: string) => {
    const part = subresource === undefined ? {} : { subresource };
    try {
      return await client.resource(resource).get({ name, ...where, ...part, signal });
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  };
  const scale = (await get('scale')) as Scale | undefined;
  if (scale) return scale.metadata?.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined;
  // Servers say the same of an object that is not there, and of a custom resource without this part.
  if (!(await get())) return undefined;
  const { plural, group } = resource;
  throw new Error(`${group ? `${plural}.${group}` : plural} does not implement the scale subresource`);
}
