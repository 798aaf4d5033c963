/** What holds for the spec of every claim, be it of an object or a template (upstream: pkg/apis/core/validation). */

import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference,
} from '../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../../validation/formats.ts';
import { check, isInvalidSelector, validateSelector } from '../../../validation/metadata.ts';
import { parseQuantity } from '../../../values/quantity.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const volumeModes = ['Block', 'Filesystem'];

/** Violations in the spec of a claim; groups of sources and values of labels were not always looked at. */
export function validateClaimSpec(
  spec: Partial<PersistentVolumeClaimSpec>,
  field: FieldPath,
  previous?: Partial<PersistentVolumeClaimSpec>,
): FieldError[] {
  const takesAnyValue = isInvalidSelector(previous?.selector);
  const takesAnyGroup =
    previous?.dataSource?.apiGroup !== undefined || previous?.dataSourceRef?.apiGroup !== undefined;
  const { dataSource, dataSourceRef, storageClassName, volumeAttributesClassName } = spec;
  return [
    ...validateAccessModes(spec.accessModes, field, 'at least 1 access mode is required'),
    ...validateSelector(spec.selector, child(field, 'selector'), takesAnyValue),
    ...validateSize(spec.resources?.requests?.['storage'], at(child(field, 'resources'), 'storage')),
    ...(storageClassName ? check(child(field, 'storageClassName'), storageClassName, dnsSubdomain) : []),
    ...validateVolumeMode(spec.volumeMode, field),
    ...(dataSource ? validateSource(dataSource, child(field, 'dataSource'), takesAnyGroup) : []),
    ...(dataSourceRef ? validateSource(dataSourceRef, child(field, 'dataSourceRef'), takesAnyGroup) : []),
    ...validateSources(spec, field),
    ...(volumeAttributesClassName
      ? check(child(field, 'volumeAttributesClassName'), volumeAttributesClassName, dnsSubdomain)
      : []),
  ];
}

/** Violations in access modes: at least one, and one that stands alone; `absent` is what is said where there is none. */
export function validateAccessModes(
  modes: readonly string[] = [],
  parent: FieldPath,
  absent = '',
): FieldError[] {
  const field = child(parent, 'accessModes');
  const known = modes.filter((mode) => accessModes.includes(mode));
  const isMixed = known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod');
  return [
    ...(modes.length > 0 ? [] : [required(field, absent)]),
    ...modes
      .filter((mode) => !accessModes.includes(mode))
      .map((mode) => notSupported(field, mode, accessModes)),
    ...(isMixed ? [forbiddenField(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

/** `Unsupported value`. */
export function validateVolumeMode(mode: string | undefined, parent: FieldPath): FieldError[] {
  if (mode === undefined || volumeModes.includes(mode)) return [];
  return [notSupported(child(parent, 'volumeMode'), mode, volumeModes)];
}

function validateSize(size: string | undefined, field: FieldPath): FieldError[] {
  if (size === undefined) return [required(field)];
  const quantity = parseQuantity(size);
  if (quantity.sign() <= 0) return [invalidValue(field, size, 'must be greater than zero')];
  return [];
}

function validateSource(
  { apiGroup = '', kind = '', name = '', ...rest }: TypedLocalObjectReference | TypedObjectReference,
  field: FieldPath,
  takesAnyGroup: boolean,
): FieldError[] {
  const namespace = 'namespace' in rest ? (rest.namespace ?? '') : '';
  return [
    ...(name === '' ? [required(child(field, 'name'))] : []),
    ...(kind === '' ? [required(child(field, 'kind'))] : []),
    ...(apiGroup === '' && kind !== 'PersistentVolumeClaim'
      ? [invalidValue(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(apiGroup === '' || takesAnyGroup ? [] : check(child(field, 'apiGroup'), apiGroup, dnsSubdomain)),
    ...(namespace === '' ? [] : check(child(field, 'namespace'), namespace, dnsLabel)),
  ];
}

function validateSources(
  { dataSource, dataSourceRef }: Partial<PersistentVolumeClaimSpec>,
  field: FieldPath,
): FieldError[] {
  if (!dataSource || !dataSourceRef) return [];
  if (dataSourceRef.namespace) {
    return [
      invalidValue(field, 'dataSource', 'may not be specified when dataSourceRef.namespace is specified'),
    ];
  }
  const isSame =
    (dataSource.apiGroup ?? '') === (dataSourceRef.apiGroup ?? '') &&
    dataSource.kind === dataSourceRef.kind &&
    dataSource.name === dataSourceRef.name;
  return isSame ? [] : [invalidValue(field, 'dataSource', 'must match dataSourceRef')];
}
