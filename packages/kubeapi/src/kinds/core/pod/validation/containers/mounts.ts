/** Violations in where a container sees volumes. */

import type { Container, VolumeMount } from '../../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  missing,
  required,
} from '../../../../../status/field-error.ts';
import { descendingPath } from '../paths.ts';

/** Violations in mounts of file systems; `volumes` are the names of the pod's volumes. */
export function validateMounts(
  mounts: VolumeMount[],
  field: FieldPath,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const place = at(field, index);
    const errors: FieldError[] = [];
    if (!mount.name) errors.push(required(child(place, 'name')));
    if (!volumes.has(mount.name)) errors.push(missing(child(place, 'name'), mount.name));
    if (!mount.mountPath) errors.push(required(child(place, 'mountPath')));
    if (paths.has(mount.mountPath))
      errors.push(invalidValue(child(place, 'mountPath'), mount.mountPath, 'must be unique'));
    paths.add(mount.mountPath);
    if (mount.subPath) errors.push(...descendingPath(child(field, 'subPath'), mount.subPath));
    if (mount.subPathExpr) {
      const detail = 'subPathExpr and subPath are mutually exclusive';
      if (mount.subPath) errors.push(invalidValue(child(place, 'subPathExpr'), mount.subPathExpr, detail));
      errors.push(...descendingPath(child(field, 'subPathExpr'), mount.subPathExpr));
    }
    return errors;
  });
}

/** Violations in block devices. */
export function validateDevices(
  container: Container,
  field: FieldPath,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const mounts = container.volumeMounts ?? [];
  return (container.volumeDevices ?? []).flatMap(({ name, devicePath }, index) => {
    const place = at(field, index);
    const errors: FieldError[] = [];
    if (!name) errors.push(required(child(place, 'name')));
    if (!volumes.has(name)) errors.push(missing(child(place, 'name'), name));
    if (!devicePath) errors.push(required(child(place, 'devicePath')));
    if (mounts.some((mount) => mount.name === name)) {
      errors.push(invalidValue(child(place, 'name'), name, 'must not already exist in volumeMounts'));
    }
    if (mounts.some(({ mountPath }) => mountPath === devicePath)) {
      const detail = 'must not already exist as a path in volumeMounts';
      errors.push(invalidValue(child(place, 'devicePath'), devicePath, detail));
    }
    return errors;
  });
}
