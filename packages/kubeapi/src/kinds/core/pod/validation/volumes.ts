/** Violations in the volumes of a pod. */

import type { KeyToPath, Volume } from '../../../../generated/types.ts';
import { ownValue } from '../../../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../../status/field-error.ts';
import { dnsLabel } from '../../../../validation/formats.ts';
import { check, uniqueNames } from '../../../../validation/metadata.ts';
import { parseQuantity } from '../../../../values/quantity.ts';
import { descendingPath, withoutBacksteps } from './paths.ts';

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const modeMax = 0o777;
const modeDetail = 'must be a number between 0 and 0777 (octal), both inclusive';

/** Violations in the list, and the names of the volumes that mounts may refer to. */
export function validateVolumes(
  volumes: Volume[],
  field: FieldPath,
): { errors: FieldError[]; names: Set<string> } {
  const errors = volumes.flatMap((volume, index) => {
    const place = at(field, index);
    const name = volume.name
      ? check(child(place, 'name'), volume.name, dnsLabel)
      : [required(child(place, 'name'))];
    return [...validateSource(volume, place), ...name];
  });
  errors.push(
    ...uniqueNames(
      volumes.map(({ name }) => name),
      (index) => child(at(field, index), 'name'),
    ),
  );
  return { errors, names: new Set(volumes.map(({ name }) => name)) };
}

/** How upstream spells these fields in its messages. */
const misspelt: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

function validateSource(volume: Volume, field: FieldPath): FieldError[] {
  const given = Object.keys(volume).filter((key) => key !== 'name');
  // The first is taken for the one that was meant; upstream looks at emptyDir before all others.
  const sources = given.toSorted((left, right) => Number(right === 'emptyDir') - Number(left === 'emptyDir'));
  const [first, ...others] = sources;
  if (first === undefined) return [required(field, 'must specify a volume type')];
  const only = Object.fromEntries(Object.entries(volume).filter(([key]) => key === first)) as Partial<Volume>;
  return [
    ...validateStorage(only, field),
    ...validateFiles(only, field),
    ...others.map((name) =>
      forbiddenField(
        child(field, ownValue(misspelt, name) ?? name),
        'may not specify more than 1 volume type',
      ),
    ),
  ];
}

function validateStorage(
  { emptyDir, hostPath, persistentVolumeClaim, nfs }: Partial<Volume>,
  field: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (emptyDir?.sizeLimit !== undefined && parseQuantity(emptyDir.sizeLimit).sign() < 0) {
    const detail = 'SizeLimit field must be a valid resource quantity';
    errors.push(forbiddenField(child(field, 'emptyDir', 'sizeLimit'), detail));
  }
  if (hostPath) {
    const place = child(field, 'hostPath', 'path');
    errors.push(...(hostPath.path ? withoutBacksteps(place, hostPath.path) : [required(place)]));
    const { type = '' } = hostPath;
    if (!hostPathTypes.includes(type))
      errors.push(notSupported(child(field, 'hostPath', 'type'), type, hostPathTypes));
  }
  if (persistentVolumeClaim && !persistentVolumeClaim.claimName) {
    errors.push(required(child(field, 'persistentVolumeClaim', 'claimName')));
  }
  if (nfs && !nfs.server) errors.push(required(child(field, 'nfs', 'server')));
  if (nfs && !nfs.path) errors.push(required(child(field, 'nfs', 'path')));
  return errors;
}

function validateFiles(
  { secret, configMap, downwardAPI, projected }: Partial<Volume>,
  field: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (secret) {
    if (!secret.secretName) errors.push(required(child(field, 'secret', 'secretName')));
    errors.push(...validateKeys(secret, child(field, 'secret')));
  }
  if (configMap) {
    if (!configMap.name) errors.push(required(child(field, 'configMap', 'name')));
    errors.push(...validateKeys(configMap, child(field, 'configMap')));
  }
  if (downwardAPI)
    errors.push(...validateMode(downwardAPI.defaultMode, child(field, 'downwardAPI', 'defaultMode')));
  if (projected)
    errors.push(...validateMode(projected.defaultMode, child(field, 'projected', 'defaultMode')));
  return errors;
}

function validateKeys(source: { items?: KeyToPath[]; defaultMode?: number }, field: FieldPath): FieldError[] {
  const items = (source.items ?? []).flatMap((item, index) => {
    const place = at(child(field, 'items'), index);
    return [
      ...(item.key ? [] : [required(child(place, 'key'))]),
      ...(item.path ? validateTarget(child(place, 'path'), item.path) : [required(child(place, 'path'))]),
      ...validateMode(item.mode, child(place, 'mode')),
    ];
  });
  return [...validateMode(source.defaultMode, child(field, 'defaultMode')), ...items];
}

function validateTarget(field: FieldPath, path: string): FieldError[] {
  const errors = descendingPath(field, path);
  const isReserved = path.startsWith('..') && !path.startsWith('../');
  return isReserved ? [...errors, invalidValue(field, path, "must not start with '..'")] : errors;
}

function validateMode(mode: number | undefined, field: FieldPath): FieldError[] {
  return mode === undefined || (mode >= 0 && mode <= modeMax) ? [] : [invalidValue(field, mode, modeDetail)];
}
