import { type DiscoveredResource, type KubeObject, kinds } from '@wherry/client';
import { isSecret, kindOf, type ResourceKey } from './kinds.ts';
import { formatRoute } from './route.ts';

/** A text, and where it leads; without `href` nowhere. */
export interface Link {
  text: string;
  href?: string | undefined;
}

/** Where an object's page is; a pod has one of its own. */
export function objectHref(resource: ResourceKey, { metadata }: KubeObject): string {
  const { namespace = '', name = '' } = metadata ?? {};
  if (resource.group === kinds.pods.group && resource.plural === kinds.pods.plural)
    return podHref(namespace, name);
  return formatRoute({ page: 'object', resource, namespace, name });
}

/** Where a pod's page is. */
export const podHref = (namespace: string, name: string): string =>
  formatRoute({ page: 'pod', namespace, name, tab: 'overview', container: undefined });

/** Where a node's page is. */
export const nodeHref = (name: string): string => objectHref(kinds.nodes, { metadata: { name } });

/** How an object names another one. */
export interface ObjectReference {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
}

/** Where a referenced object's page is; undefined for what has none, or while it is not known what the server has. */
export function referenceHref(
  resources: readonly DiscoveredResource[],
  { namespace = '', name = '', ...kind }: ObjectReference,
): string | undefined {
  const type = kindOf(resources, kind);
  if (!type || isSecret(type) || name === '' || (type.namespaced && namespace === '')) return undefined;
  return objectHref(type, { metadata: { name, ...(type.namespaced ? { namespace } : {}) } });
}
