/** Violations in variables that containers read from files of the pod's volumes. */
import type { FileKeySelector, PodSpec } from '../../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  missing,
  required,
} from '../../../../../status/field-error.ts';
import { dnsLabel, environmentName } from '../../../../../validation/formats.ts';
import { check } from '../../../../../validation/metadata.ts';
import { withoutBacksteps } from '../paths.ts';

/** Violations in where one variable stands. */
export function validateFileKey({ key, volumeName, path }: FileKeySelector, field: FieldPath): FieldError[] {
  const [keyPlace, volumePlace, pathPlace] = [
    child(field, 'key'),
    child(field, 'volumeName'),
    child(field, 'path'),
  ];
  return [
    ...(key ? check(keyPlace, key, environmentName) : [required(keyPlace)]),
    ...(volumeName ? check(volumePlace, volumeName, dnsLabel) : [required(volumePlace)]),
    ...(path ? withoutBacksteps(pathPlace, path) : [required(pathPlace)]),
  ];
}

/** Only what a container of the pod can have written is read: the volume is an emptyDir. */
export function validateFileVolumes(spec: PodSpec, field: FieldPath): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ env = [] }, index) =>
      env.flatMap(({ valueFrom }, number) => {
        if (!valueFrom?.fileKeyRef) return [];
        const { volumeName } = valueFrom.fileKeyRef;
        const variable = at(child(at(child(field, list), index), 'env'), number);
        const place = child(variable, 'valueFrom', 'fileKeyRef', 'volumeName');
        const volume = volumes.get(volumeName);
        if (!volume) return [missing(place, volumeName)];
        return volume.emptyDir
          ? []
          : [invalidValue(place, volumeName, 'referenced volume must be of type emptyDir')];
      }),
    ),
  );
}
