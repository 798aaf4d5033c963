import { type PersistentVolumeClaim, parseQuantity } from '@wherry/kubeapi';
import { storageClassOf } from '@wherry/podrules';
import { as } from '../../objects/api-object.ts';
import { type AdmissionPlugin, refused } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';

const sizeOf = ({ spec }: PersistentVolumeClaim) =>
  parseQuantity(spec?.resources?.requests?.['storage'] ?? '0');

/** A claim grows only when it is bound, and its class allows that. */
export function claimResize({ caches }: Pick<PluginParts, 'caches'>): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    handles: [{ operations: ['UPDATE'], resources: ['/persistentvolumeclaims'] }],
    validate(request) {
      const [next, previous] = [
        as<PersistentVolumeClaim>(request.object!),
        as<PersistentVolumeClaim>(request.previous!),
      ];
      if (sizeOf(next).cmp(sizeOf(previous)) <= 0) return;
      if (previous.status?.phase !== 'Bound')
        throw refused(request, 'Only bound persistent volume claims can be expanded');
      const className = next.spec ? storageClassOf(next) : '';
      const isSame = previous.spec && className === storageClassOf(previous);
      const found = className === '' || !isSame ? undefined : caches.storageClasses.get(className);
      if (found?.allowVolumeExpansion === true) return;
      const why =
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
      throw refused(request, why);
    },
  };
}
