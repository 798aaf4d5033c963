import type { PersistentVolumeClaim } from '@wherry/kubeapi';
import { namesStorageClass, defaultStorageClass as newestDefault } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

/** Gives claims that name no class the cluster's default one, where there is one. */
export function defaultStorageClass({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    handles: [{ operations: ['CREATE'], resources: ['/persistentvolumeclaims'] }],
    admit({ object }) {
      const claim = as<PersistentVolumeClaim>(object!);
      if (!claim.spec || namesStorageClass(claim)) return;
      const name = newestDefault(caches.storageClasses.values())?.metadata.name;
      if (name !== undefined) claim.spec.storageClassName = name;
    },
  };
}
