/** Persistent volumes. */
import { object } from '../../../defaults/parts.ts';
import type { PersistentVolume, PersistentVolumeSpec } from '../../../generated/types.ts';
import { type JsonObject, jsonEqual } from '../../../json/json-value.ts';
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
import { age } from '../../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer, wide } from '../../../table/printer.ts';
import { dnsLabel, dnsSubdomain } from '../../../validation/formats.ts';
import { check, immutable } from '../../../validation/metadata.ts';
import { validateNodeSelector } from '../../../validation/node-selector.ts';
import { requiredName, validateCsiDriverName } from '../../../validation/references.ts';
import { parseQuantity } from '../../../values/quantity.ts';
import type { KindDefinition } from '../../definition.ts';
import { withoutBacksteps } from '../pod/validation/paths.ts';
import { validateAccessModes, validateVolumeMode } from './persistent-volume-claim-spec.ts';

const accessModes: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
/** Access modes as kubectl shortens them. */
export const modeText = (modes: readonly string[] | undefined) =>
  Object.entries(accessModes)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

const printer: Printer<PersistentVolume> = {
  columns: [
    ...[nameColumn, column('Capacity'), column('Access Modes'), column('Reclaim Policy'), column('Status')],
    ...[
      column('Claim'),
      column('StorageClass'),
      column('VolumeAttributesClass'),
      column('Reason'),
      ageColumn,
    ],
    wide('VolumeMode'),
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.capacity?.['storage'] ?? '0', modeText(spec.accessModes)],
    ...[
      spec.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    ],
    spec.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
    ...[spec.storageClassName ?? '', spec.volumeAttributesClassName ?? '<unset>', status?.reason ?? ''],
    ...[age(metadata.creationTimestamp, nowMs), spec.volumeMode ?? '<unset>'],
  ],
};

/** Persistent volumes. */
export const persistentVolume: KindDefinition<PersistentVolume> = {
  group: '',
  kind: 'PersistentVolume',
  printer,
  validate: ({ spec }) => validateSpec(spec, 'spec'),
  validateUpdate,
  validateSubresource: { status: () => [] },
  defaults: {
    PersistentVolumeStatus: { phase: 'Pending' },
  },
  computedDefaults: {
    PersistentVolume: (volume) => {
      const spec = object(volume['spec']);
      spec['persistentVolumeReclaimPolicy'] ||= 'Retain';
      spec['volumeMode'] ??= 'Filesystem';
    },
  },
  descriptions: {
    PersistentVolume: { '': 'Storage of the cluster.' },
  },
};

const sources = [
  ...([
    'hostPath',
    'gcePersistentDisk',
    'awsElasticBlockStore',
    'glusterfs',
    'flocker',
    'nfs',
    'rbd',
  ] as const),
  ...(['quobyte', 'cephfs', 'iscsi', 'cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume'] as const),
  ...([
    'photonPersistentDisk',
    'portworxVolume',
    'azureDisk',
    'scaleIO',
    'local',
    'storageos',
    'csi',
  ] as const),
];
const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const hostPathTypes = [
  ...['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'],
];

function validateSpec(spec: PersistentVolumeSpec, field: FieldPath): FieldError[] {
  const { capacity = {}, nodeAffinity, persistentVolumeReclaimPolicy: policy } = spec;
  const isRoot = /^\/[./]*$/.test(spec.hostPath?.path ?? '') && policy === 'Recycle';
  return [
    ...validateAccessModes(spec.accessModes, field),
    ...validateCapacity(capacity, child(field, 'capacity')),
    ...(policy && !reclaimPolicies.includes(policy)
      ? [notSupported(child(field, 'persistentVolumeReclaimPolicy'), policy, reclaimPolicies)]
      : []),
    ...(nodeAffinity?.required
      ? validateNodeSelector(nodeAffinity.required, child(field, 'nodeAffinity', 'required'))
      : nodeAffinity
        ? [required(child(field, 'nodeAffinity', 'required'), 'must specify required node constraints')]
        : []),
    ...validateVolumeSource(spec, field),
    ...(isRoot
      ? [forbiddenField(child(field, 'persistentVolumeReclaimPolicy'), "may not be 'Recycle' for '/'")]
      : []),
    ...(spec.storageClassName
      ? check(child(field, 'storageClassName'), spec.storageClassName, dnsSubdomain)
      : []),
    ...validateVolumeMode(spec.volumeMode, field),
    ...validateAttributesClass(spec, field),
  ];
}

function validateCapacity(capacity: Record<string, string>, field: FieldPath): FieldError[] {
  const names = Object.keys(capacity);
  const shown = names.length === 0 ? null : capacity;
  return [
    ...(names.length > 0 ? [] : [required(field)]),
    ...(names.includes('storage') && names.length === 1 ? [] : [notSupported(field, shown, ['storage'])]),
    ...Object.entries(capacity)
      .filter(([, amount]) => parseQuantity(amount).sign() <= 0)
      .map(([name, amount]) => invalidValue(at(field, name), amount, 'must be greater than zero')),
  ];
}

function validateVolumeSource(spec: PersistentVolumeSpec, field: FieldPath): FieldError[] {
  const given = sources.filter((name) => spec[name] !== undefined);
  const [first, ...others] = given;
  if (first === undefined) return [required(field, 'must specify a volume type')];
  return [
    ...validateFirstSource(spec, first, field),
    ...others
      .filter((name) => name !== 'flexVolume')
      .map((name) =>
        forbiddenField(
          child(field, name === 'cephfs' ? 'cephFS' : name),
          'may not specify more than 1 volume type',
        ),
      ),
  ];
}

/** Sources that this server's nodes know, or CSI; the others are stored as they come. */
function validateFirstSource(spec: PersistentVolumeSpec, name: string, field: FieldPath): FieldError[] {
  const place = child(field, name);
  const { hostPath, local, nfs, csi } = spec;
  if (name === 'hostPath') {
    const { path, type = '' } = hostPath!;
    return [
      ...(path ? withoutBacksteps(child(place, 'path'), path) : [required(child(place, 'path'))]),
      ...(hostPathTypes.includes(type) ? [] : [notSupported(child(place, 'type'), type, hostPathTypes)]),
    ];
  }
  if (name === 'local') {
    return [
      ...(local!.path
        ? withoutBacksteps(child(place, 'path'), local!.path)
        : [required(child(place, 'path'))]),
      ...(spec.nodeAffinity
        ? []
        : [required(child(field, 'nodeAffinity'), 'Local volume requires node affinity')]),
    ];
  }
  if (name === 'nfs') {
    return [
      ...(nfs!.server ? [] : [required(child(place, 'server'))]),
      ...(nfs!.path ? [] : [required(child(place, 'path'))]),
      ...(!nfs!.path || nfs!.path.startsWith('/')
        ? []
        : [invalidValue(child(place, 'path'), nfs!.path, 'must be an absolute path')]),
    ];
  }
  if (name !== 'csi') return [];
  const secrets = [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ] as const;
  return [
    ...validateCsiDriverName(child(place, 'driver'), csi!.driver),
    ...(csi!.volumeHandle ? [] : [required(child(place, 'volumeHandle'))]),
    ...secrets
      .filter((secret) => csi![secret])
      .flatMap((secret) => [
        ...requiredName(child(place, secret, 'name'), csi![secret]!.name, dnsSubdomain),
        ...requiredName(child(place, secret, 'namespace'), csi![secret]!.namespace, dnsLabel),
      ]),
  ];
}

function validateAttributesClass(
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
  field: FieldPath,
): FieldError[] {
  if (name === undefined) return [];
  const place = child(field, 'volumeAttributesClassName');
  return [
    ...requiredName(place, name, dnsSubdomain),
    ...(csi
      ? []
      : [required(child(field, 'csi'), 'has to be specified when using volumeAttributesClassName')]),
  ];
}

/** The volume stays; a secret for its growth may come. */
function validateUpdate(next: PersistentVolume, previous: PersistentVolume): FieldError[] {
  const errors = validateSpec(next.spec, 'spec');
  if (!jsonEqual(sourceOf(next.spec, previous.spec), sourceOf(previous.spec, previous.spec))) {
    errors.push(forbiddenField('spec.persistentvolumesource', 'a volume stays what it is'));
  }
  if (
    previous.spec.volumeAttributesClassName !== undefined &&
    next.spec.volumeAttributesClassName === undefined
  ) {
    errors.push(
      forbiddenField('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'),
    );
  }
  const isChanged = !jsonEqual(
    next.spec.nodeAffinity as JsonObject | undefined,
    previous.spec.nodeAffinity as JsonObject | undefined,
  );
  return [
    ...errors,
    ...immutable('volumeMode', next.spec.volumeMode, previous.spec.volumeMode),
    ...(previous.spec.nodeAffinity && isChanged
      ? [invalidValue('nodeAffinity', next.spec.nodeAffinity as JsonObject | undefined, 'field is immutable')]
      : []),
  ];
}

function sourceOf(spec: PersistentVolumeSpec, previous: PersistentVolumeSpec): JsonObject {
  const found = sources.filter((name) => spec[name] !== undefined).map((name) => [name, spec[name]]);
  const source = structuredClone(Object.fromEntries(found)) as Pick<PersistentVolumeSpec, 'csi'>;
  if (source.csi && previous.csi && !previous.csi.controllerExpandSecretRef)
    delete source.csi.controllerExpandSecretRef;
  return source as unknown as JsonObject;
}
