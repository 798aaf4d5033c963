import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** Makes a namespace for the first object that is created in it. */
export function namespaceAutoProvision({
  caches,
  makeNamespace,
}: Pick<PluginParts, 'caches' | 'makeNamespace'>): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    isOffByDefault: true,
    keepsDefaults: true,
    handles: [{ operations: ['CREATE'], resources: ['*'] }],
    async admit({ resource, namespace, dryRun }) {
      if (dryRun || !resource.namespaced || namespace === '' || caches.namespaces.get(namespace)) return;
      await makeNamespace(namespace);
    },
  };
}
