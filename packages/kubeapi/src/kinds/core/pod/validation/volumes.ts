/** Violations in the volumes of a pod. */

import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  ResourceFieldSelector,
  Volume,
} from '../../../../generated/types.ts';
import { ownValue } from '../../../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../../status/field-error.ts';
import { dnsLabel } from '../../../../validation/formats.ts';
import { check } from '../../../../validation/metadata.ts';
import { validateCsiDriverName } from '../../../../validation/references.ts';
import { parseQuantity } from '../../../../values/quantity.ts';
import { validateFieldReference, validateResourceField } from './containers/container.ts';
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

/** Violations in the list, and the names of the sound volumes, which mounts may refer to. */
export function validateVolumes(
  volumes: Volume[],
  field: FieldPath,
): { errors: FieldError[]; names: Set<string> } {
  const names = new Set<string>();
  const errors = volumes.flatMap((volume, index) => {
    const place = at(field, index);
    const { name = '' } = volume;
    const own = [
      ...validateSource(volume, place),
      ...(name ? check(child(place, 'name'), name, dnsLabel) : [required(child(place, 'name'))]),
      ...(names.has(name) ? [duplicate(child(place, 'name'), name)] : []),
    ];
    // Nothing is said to exist that cannot be mounted.
    if (own.length === 0) names.add(name);
    return own;
  });
  return { errors, names };
}

/** How upstream spells these fields in its messages. */
const misspelt: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** Of several the first is taken for the one that was meant, in this order. */
const sourceOrder = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs'],
  ...['iscsi', 'glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte'],
  ...['downwardAPI', 'fc', 'flexVolume', 'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk'],
  ...['portworxVolume', 'azureDisk', 'storageos', 'projected', 'scaleIO', 'csi', 'ephemeral', 'image'],
];

function validateSource(volume: Volume, field: FieldPath): FieldError[] {
  const given = Object.keys(volume).filter((key) => key !== 'name');
  const sources = given.toSorted((left, right) => sourceOrder.indexOf(left) - sourceOrder.indexOf(right));
  const [first, ...others] = sources;
  if (first === undefined) return [required(field, 'must specify a volume type')];
  const only = Object.fromEntries(Object.entries(volume).filter(([key]) => key === first)) as Partial<Volume>;
  return [
    ...validateStorage(only, field),
    ...validateFiles(only, field),
    ...validateDriver(only, field),
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
  if (nfs && !nfs.path?.startsWith('/'))
    errors.push(invalidValue(child(field, 'nfs', 'path'), nfs.path ?? '', 'must be an absolute path'));
  return errors;
}

function validateDriver({ csi, ephemeral }: Partial<Volume>, field: FieldPath): FieldError[] {
  const secret = child(field, 'csi', 'nodePublishSecretRef', 'name');
  const template = child(field, 'ephemeral', 'volumeClaimTemplate');
  return [
    ...(csi ? validateCsiDriverName(child(field, 'csi', 'driver'), csi.driver) : []),
    ...(csi?.nodePublishSecretRef && !csi.nodePublishSecretRef.name ? [required(secret)] : []),
    ...(ephemeral && !ephemeral.volumeClaimTemplate ? [required(template)] : []),
  ];
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
  if (downwardAPI) {
    const place = child(field, 'downwardAPI');
    errors.push(...validateMode(downwardAPI.defaultMode, child(place, 'defaultMode')));
    for (const item of downwardAPI.items ?? []) errors.push(...validateDownwardFile(item, place));
  }
  if (projected)
    errors.push(...validateMode(projected.defaultMode, child(field, 'projected', 'defaultMode')));
  return errors;
}

/** Upstream tells of the volume, not of the item. */
function validateDownwardFile(item: DownwardAPIVolumeFile, field: FieldPath): FieldError[] {
  const { path, fieldRef, resourceFieldRef, mode } = item;
  return [
    ...(path ? validateTarget(child(field, 'path'), path) : [required(child(field, 'path'))]),
    ...(fieldRef ? validateFieldReference(fieldRef.fieldPath, child(field, 'fieldRef'), volumeFields) : []),
    ...(fieldRef && resourceFieldRef
      ? [invalidValue(field, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]
      : []),
    ...(!fieldRef && resourceFieldRef
      ? validateAmountReference(resourceFieldRef, child(field, 'resourceFieldRef'))
      : []),
    ...(fieldRef || resourceFieldRef
      ? []
      : [required(field, 'one of fieldRef and resourceFieldRef is required')]),
    ...validateMode(mode, child(field, 'mode')),
  ];
}

function validateAmountReference({ containerName, resource }: ResourceFieldSelector, field: FieldPath) {
  if (!containerName) return [required(child(field, 'containerName'))];
  return validateResourceField(resource, child(field, 'resource'));
}

const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

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
