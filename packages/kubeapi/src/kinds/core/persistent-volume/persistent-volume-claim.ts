/** Claims on persistent volumes. */

import type { PersistentVolumeClaim } from '../../../generated/types.ts';
import { type JsonObject, jsonEqual, ownValue } from '../../../json/json-value.ts';
import {
  at,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../status/field-error.ts';
import { age } from '../../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer, wide } from '../../../table/printer.ts';
import { qualifiedName } from '../../../validation/formats.ts';
import { check, immutable } from '../../../validation/metadata.ts';
import { isNativeResource } from '../../../validation/resource-amounts.ts';
import { parseQuantity } from '../../../values/quantity.ts';
import type { KindDefinition } from '../../definition.ts';
import { modeText } from './persistent-volume.ts';
import { validateClaimSpec } from './persistent-volume-claim-spec.ts';

const printer: Printer<PersistentVolumeClaim> = {
  columns: [
    ...[nameColumn, column('Status'), column('Volume'), column('Capacity'), column('Access Modes')],
    ...[column('StorageClass'), column('VolumeAttributesClass'), ageColumn, wide('VolumeMode')],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[
      metadata.name ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
      spec.volumeName ?? '',
    ],
    spec.volumeName ? (status?.capacity?.['storage'] ?? '0') : '',
    spec.volumeName ? modeText(status?.accessModes) : '',
    ...[spec.storageClassName ?? '', spec.volumeAttributesClassName ?? '<unset>'],
    ...[age(metadata.creationTimestamp, nowMs), spec.volumeMode ?? '<unset>'],
  ],
};

/** Claims on persistent volumes. */
export const persistentVolumeClaim: KindDefinition<PersistentVolumeClaim> = {
  group: '',
  kind: 'PersistentVolumeClaim',
  printer,
  validate: ({ spec }) => validateClaimSpec(spec, 'spec'),
  validateUpdate,
  validateSubresource: { status: validateStatus },
  defaults: {
    PersistentVolumeClaimStatus: { phase: 'Pending' },
    PersistentVolumeClaimSpec: { volumeMode: 'Filesystem' },
  },
  descriptions: {
    PersistentVolumeClaim: { '': 'A wish for storage.' },
  },
};

/** Amounts of storage that there is and that is on its way. */
function validateStatus({ spec, status }: PersistentVolumeClaim): FieldError[] {
  const isNegative = (amount: string) => parseQuantity(amount).sign() < 0;
  const amounts = (name: 'capacity' | 'allocatedResources') => Object.entries(status?.[name] ?? {});
  const field = 'status.allocatedResources';
  const detail = 'must be a valid resource quantity';
  return [
    ...(spec.accessModes?.length ? [] : [required('Spec.accessModes')]),
    ...amounts('capacity')
      .filter(([, amount]) => isNegative(amount))
      .map(([name, amount]) => invalidValue(at('status.capacity', name), amount, detail)),
    ...amounts('allocatedResources').flatMap(([name, amount]) => {
      const errors = check(field, name, qualifiedName);
      if (errors.length > 0) return errors;
      if (name !== 'storage' && isNativeResource(name)) return [notSupported(field, name, ['storage'])];
      return isNegative(amount) ? [invalidValue(at(field, name), amount, detail)] : [];
    }),
  ];
}

/** A claim stays as it is, but for its volume and its class (once each), and, when it is bound, its size and its attributes. */
function validateUpdate(next: PersistentVolumeClaim, previous: PersistentVolumeClaim): FieldError[] {
  const errors = validateClaimSpec(next.spec, 'spec', previous.spec);
  const free = {
    more: next.status?.phase === 'Bound',
    volumeName: !previous.spec.volumeName,
    storageClassName: getsClass(next, previous),
  };
  if (!jsonEqual(frozenPart(next, free), frozenPart(previous, free))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    errors.push(forbiddenField('spec', detail));
  }
  const size = (claim: PersistentVolumeClaim) =>
    parseQuantity(claim.spec.resources?.requests?.['storage'] ?? '0');
  if (size(next).cmp(size(previous)) < 0) {
    const held = parseQuantity(previous.status?.capacity?.['storage'] ?? '0');
    if (size(next).cmp(held) <= 0) {
      const detail = 'field can not be less than status.capacity';
      errors.push(forbiddenField('spec.resources.requests.storage', detail));
    }
  }
  const hasAttributes = previous.status?.currentVolumeAttributesClassName !== undefined;
  if (hasAttributes && previous.spec.volumeAttributesClassName && !next.spec.volumeAttributesClassName) {
    errors.push(
      forbiddenField('spec.volumeAttributesClassName', 'attributes that are in use cannot be taken back'),
    );
  }
  return [...errors, ...immutable('volumeMode', next.spec.volumeMode, previous.spec.volumeMode)];
}

/** What named a claim's class before there was a field for it. */
const betaClass = 'volume.beta.kubernetes.io/storage-class';

/** A claim without a class may get one later, when the cluster has a default one (validateStorageClassUpgradeFromNil). */
function getsClass(next: PersistentVolumeClaim, previous: PersistentVolumeClaim): boolean {
  const { storageClassName } = next.spec;
  if (storageClassName === undefined || previous.spec.storageClassName !== undefined) return false;
  const asked = ownValue(previous.metadata.annotations, betaClass);
  return asked === undefined || asked === storageClassName;
}

/** What may differ in an update. */
interface FreePart {
  /** The size and the attributes. */
  more: boolean;
  volumeName: boolean;
  storageClassName: boolean;
}

function frozenPart({ spec }: PersistentVolumeClaim, free: FreePart): JsonObject {
  const { volumeName, storageClassName, volumeAttributesClassName, resources, ...rest } = spec;
  const { storage, ...requests } = resources?.requests ?? {};
  const whole = {
    ...rest,
    ...(free.volumeName || volumeName === undefined ? {} : { volumeName }),
    ...(free.storageClassName || storageClassName === undefined ? {} : { storageClassName }),
    ...(free.more || volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
    resources: {
      ...resources,
      requests: { ...requests, ...(free.more || storage === undefined ? {} : { storage }) },
    },
  };
  return whole as unknown as JsonObject;
}
