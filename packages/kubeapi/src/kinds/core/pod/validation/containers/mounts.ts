/** Violations in where a container sees volumes. */

import type { Container, VolumeMount } from '../../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  missing,
  notSupported,
  required,
} from '../../../../../status/field-error.ts';
import { descendingPath } from '../paths.ts';

/** Violations in mounts of file systems; `volumes` are the names of the pod's volumes. */
export function validateMounts(
  container: Pick<Container, 'volumeMounts' | 'securityContext'>,
  field: FieldPath,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const { volumeMounts = [], securityContext } = container;
  const paths = new Set<string>();
  return volumeMounts.flatMap((mount, index) => {
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
    const isPrivileged = securityContext?.privileged === true;
    errors.push(...validatePropagation(mount, isPrivileged, child(field, 'mountPropagation')));
    errors.push(...validateRecursion(mount, child(field, 'recursiveReadOnly')));
    return errors;
  });
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

/** Who mounts for the whole machine is privileged. */
function validatePropagation(
  { mountPropagation: propagation }: VolumeMount,
  isPrivileged: boolean,
  field: FieldPath,
): FieldError[] {
  if (propagation === undefined) return [];
  if (!propagations.includes(propagation)) return [notSupported(field, propagation, propagations)];
  return propagation === 'Bidirectional' && !isPrivileged
    ? [forbiddenField(field, 'Bidirectional mount propagation is available only to privileged containers')]
    : [];
}

const recursions = ['Disabled', 'Enabled', 'IfPossible'];

/** What is read-only with all below it is read-only itself, and no mount made later may pass it. */
function validateRecursion(mount: VolumeMount, field: FieldPath): FieldError[] {
  const { recursiveReadOnly: recursion, mountPropagation = 'None' } = mount;
  if (recursion === undefined || recursion === 'Disabled') return [];
  if (!recursions.includes(recursion)) return [notSupported(field, recursion, recursions)];
  const errors: FieldError[] = [];
  if (!mount.readOnly) errors.push(forbiddenField(field, 'may only be specified when readOnly is true'));
  if (mountPropagation !== 'None')
    errors.push(
      forbiddenField(field, 'may only be specified when mountPropagation is None or not specified'),
    );
  return errors;
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
