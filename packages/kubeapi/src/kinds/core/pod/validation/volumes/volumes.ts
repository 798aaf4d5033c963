/** Violations in the volumes of a pod. */

import type { Volume } from '../../../../../generated/types.ts';
import { ownValue } from '../../../../../json/json-value.ts';
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
} from '../../../../../status/field-error.ts';
import { dnsLabel } from '../../../../../validation/formats.ts';
import { check } from '../../../../../validation/metadata.ts';
import { validateCsiDriverName } from '../../../../../validation/references.ts';
import { parseQuantity } from '../../../../../values/quantity.ts';
import { withoutBacksteps } from '../paths.ts';
import { validateFiles } from './files.ts';

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

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

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
    ...validateImage(only, child(field, 'image')),
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

function validateImage({ image }: Partial<Volume>, field: FieldPath): FieldError[] {
  const { pullPolicy = 'Always' } = image ?? {};
  const isKnown = pullPolicies.includes(pullPolicy);
  return isKnown ? [] : [notSupported(child(field, 'pullPolicy'), pullPolicy, pullPolicies)];
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
