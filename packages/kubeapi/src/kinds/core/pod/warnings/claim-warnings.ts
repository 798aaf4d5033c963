/** What of a claim is not as its writer may think (upstream: pkg/api/persistentvolumeclaim). */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../../../../generated/types.ts';
import { at, child, type FieldPath } from '../../../../status/field-error.ts';
import { fractionWarnings } from './container-warnings.ts';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Warnings of a claim. */
export function claimWarnings({ metadata, spec }: PersistentVolumeClaim): string[] {
  const isOld = Object.hasOwn(metadata.annotations ?? {}, classAnnotation);
  const place = at('metadata.annotations', classAnnotation);
  return [
    ...(isOld ? [`${place}: deprecated since v1.8; use "storageClassName" attribute instead`] : []),
    ...claimSpecWarnings(spec, 'spec'),
  ];
}

/** Warnings of what is claimed, also by a template. */
export function claimSpecWarnings(spec: PersistentVolumeClaimSpec | undefined, path: FieldPath): string[] {
  return (['requests', 'limits'] as const).flatMap((side) =>
    fractionWarnings(spec?.resources?.[side], 'storage', child(path, 'resources', side)),
  );
}
