/** Storage classes. */

import type { StorageClass, TopologySelectorTerm } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { at, child, duplicate, type FieldError, notSupported, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import type { KindDefinition } from '../definition.ts';
import { validateDriver, validateParameters } from './parameters.ts';

const defaultClass = 'storageclass.kubernetes.io/is-default-class';

const printer: Printer<StorageClass> = {
  columns: [
    ...[nameColumn, column('Provisioner'), column('ReclaimPolicy'), column('VolumeBindingMode')],
    ...[column('AllowVolumeExpansion'), ageColumn],
  ],
  cells: ({ metadata, provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion }, nowMs) => [
    `${metadata.name ?? ''}${metadata.annotations?.[defaultClass] === 'true' ? ' (default)' : ''}`,
    ...[
      provisioner,
      reclaimPolicy ?? 'Delete',
      volumeBindingMode ?? 'Immediate',
      allowVolumeExpansion ?? false,
    ],
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Storage classes. */
export const storageClass: KindDefinition<StorageClass> = {
  group: 'storage.k8s.io',
  kind: 'StorageClass',
  printer,
  validate: validateStorageClass,
  validateUpdate: (next, previous) => [
    ...validateStorageClass(next),
    ...(['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((name) =>
      immutable(name, next[name] as JsonValue | undefined, previous[name] as JsonValue | undefined),
    ),
  ],
  defaults: {
    StorageClass: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  },
  descriptions: {
    StorageClass: { '': 'A kind of storage that can be asked for.' },
  },
};

const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];

function validateStorageClass(storageClass: StorageClass): FieldError[] {
  const {
    provisioner,
    parameters,
    reclaimPolicy: policy,
    volumeBindingMode: mode,
    allowedTopologies,
  } = storageClass;
  return [
    ...validateDriver('provisioner', provisioner),
    ...validateParameters(parameters),
    ...(policy && !reclaimPolicies.includes(policy)
      ? [notSupported('reclaimPolicy', policy, reclaimPolicies)]
      : []),
    ...(mode === undefined ? [required('volumeBindingMode')] : []),
    ...(mode !== undefined && !bindingModes.includes(mode)
      ? [notSupported('volumeBindingMode', mode, bindingModes)]
      : []),
    ...validateTopologies(allowedTopologies ?? []),
  ];
}

function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  const isRepeatedTerm = repeats<string>();
  return terms.flatMap(({ matchLabelExpressions: expressions = [] }, index) => {
    const place = child(at('allowedTopologies', index), 'matchLabelExpressions');
    const isRepeatedKey = repeats<string>();
    const text = JSON.stringify(expressions.map(({ key, values = [] }) => [key, values.toSorted()]).sort());
    return [
      ...expressions.flatMap(({ key, values = [] }, at_) => {
        const own = at(place, at_);
        const isRepeatedValue = repeats<string>();
        return [
          ...(values.length === 0 ? [required(child(own, 'values'))] : []),
          ...values.flatMap((value, each) =>
            isRepeatedValue(value) ? [duplicate(at(child(own, 'values'), each), value)] : [],
          ),
          ...check(child(own, 'key'), key, qualifiedName),
          ...(isRepeatedKey(key) ? [duplicate(child(own, 'key'), key)] : []),
        ];
      }),
      ...(isRepeatedTerm(text) ? [duplicate(place, '')] : []),
    ];
  });
}
