import type { AdmissionPlugin } from '../admission.ts';

/** By `group/plural`. */
const finalizers: ReadonlyMap<string, string> = new Map([
  ['/persistentvolumes', 'kubernetes.io/pv-protection'],
  ['/persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['storage.k8s.io/volumeattributesclasses', 'kubernetes.io/vac-protection'],
]);

/** Volumes and claims stay while something uses them: controllers take the finalizer off. */
export function storageObjectInUseProtection(): AdmissionPlugin {
  return {
    name: 'StorageObjectInUseProtection',
    handles: [{ operations: ['CREATE'], resources: [...finalizers.keys()] }],
    admit({ object, resource }) {
      const { metadata } = object!;
      const wanted = finalizers.get(`${resource.group}/${resource.plural}`)!;
      const present = metadata.finalizers ?? [];
      if (!present.includes(wanted)) metadata.finalizers = [...present, wanted];
    },
  };
}
