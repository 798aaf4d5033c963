import { notFound } from '@wherry/kubeapi';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** Nothing is written or deleted in a namespace that is not there. */
export function namespaceExists({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    isOffByDefault: true,
    handles: [{ operations: ['CREATE', 'UPDATE', 'DELETE'], resources: ['*'] }],
    validate({ resource, namespace }) {
      if (!resource.namespaced || namespace === '' || caches.namespaces.get(namespace)) return;
      throw notFound({ group: '', resource: 'namespaces' }, namespace);
    },
  };
}
