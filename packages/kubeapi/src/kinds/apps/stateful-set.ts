/** Stateful sets. */

import { items } from '../../defaults/parts.ts';
import type {
  PodTemplateSpec,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from '../../generated/types.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '../../json/json-value.ts';
import { matcherFrom } from '../../selector/label-selector.ts';
import {
  at,
  child,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, containerCells, nameColumn, type Printer, wide } from '../../table/printer.ts';
import { notDecremented, validateCounts } from '../../validation/counts.ts';
import { dnsLabel } from '../../validation/formats.ts';
import { atMostAll, plainNumber, positiveOrPercent } from '../../validation/int-or-percent.ts';
import { check, nonNegative, validateSelector } from '../../validation/metadata.ts';
import { validateClaimSpec } from '../core/persistent-volume/persistent-volume-claim-spec.ts';
import { notSelected, validateLasting, validateTemplate } from '../core/pod/validation/template.ts';
import type { KindDefinition } from '../definition.ts';
import { validateOwnSelector, words } from './replicated.ts';

const printer: Printer<StatefulSet> = {
  columns: [nameColumn, column('Ready'), ageColumn, wide('Containers'), wide('Images')],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`],
    ...[age(metadata.creationTimestamp, nowMs), ...containerCells(spec.template.spec?.containers)],
  ],
};

/** Stateful sets. */
export const statefulSet: KindDefinition<StatefulSet> = {
  group: 'apps',
  kind: 'StatefulSet',
  printer,
  nameFormat: dnsLabel,
  validate: ({ spec }) => [
    ...validateSpec(spec),
    ...(spec.serviceName ? check('spec.serviceName', spec.serviceName, dnsLabel) : []),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      validateClaimSpec(claim.spec ?? {}, child(at('spec.volumeClaimTemplates', index), 'spec')),
    ),
  ],
  validateUpdate: (next, previous) => [...validateSpec(next.spec), ...validateKept(next.spec, previous.spec)],
  validateSubresource: { status: validateStatus },
  defaults: {
    StatefulSetSpec: {
      podManagementPolicy: 'OrderedReady',
      persistentVolumeClaimRetentionPolicy: {},
      replicas: 1,
      revisionHistoryLimit: 10,
    },
    StatefulSetPersistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  },
  computedDefaults: {
    StatefulSetSpec: defaultClaimTemplates,
    StatefulSetUpdateStrategy: defaultStatefulSetStrategy,
  },
  descriptions: {
    StatefulSet: { '': 'Keeps pods running that each have a lasting name and storage.' },
    StatefulSetSpec: {
      '': 'What a stateful set should run.',
      replicas: words.replicas,
      selector: words.selector,
      template: words.template,
      serviceName: 'The service that names the pods.',
      volumeClaimTemplates: 'Claims made for each pod.',
      podManagementPolicy: 'OrderedReady or Parallel.',
      updateStrategy: 'How pods are replaced.',
    },
  },
};

function defaultStatefulSetStrategy(strategy: JsonObject): void {
  if (!strategy['type']) {
    strategy['type'] = 'RollingUpdate';
    strategy['rollingUpdate'] ??= {};
  }
  if (strategy['type'] === 'RollingUpdate' && isJsonObject(strategy['rollingUpdate'])) {
    strategy['rollingUpdate']['partition'] ??= 0;
  }
}

function defaultClaimTemplates(spec: JsonObject): void {
  for (const claim of items(spec['volumeClaimTemplates'])) {
    claim['apiVersion'] = 'v1';
    claim['kind'] = 'PersistentVolumeClaim';
  }
}

/** Violations in a stateful set, but for what only counts at its creation. */
function validateSpec(spec: StatefulSetSpec): FieldError[] {
  const { podManagementPolicy: policy = '', persistentVolumeClaimRetentionPolicy: retention } = spec;
  const retentions = ['Retain', 'Delete'];
  const isPolicy = ['OrderedReady', 'Parallel'].includes(policy);
  return [
    ...(policy === '' ? [required('spec.podManagementPolicy')] : []),
    ...(policy === '' || isPolicy
      ? []
      : [invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...validateStrategy(spec.updateStrategy ?? {}),
    ...(['whenDeleted', 'whenScaled'] as const).flatMap((when) => {
      const value = retention?.[when] ?? '';
      if (!retention || retentions.includes(value)) return [];
      return [notSupported(`spec.persistentVolumeClaimRetentionPolicy.${when}`, value, retentions)];
    }),
    ...nonNegative('spec.replicas', spec.replicas),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegative('spec.ordinals.start', spec.ordinals?.start),
    ...validateOwnSelector(spec.selector),
    ...validateSetTemplate(spec),
    ...validateLasting(spec.template),
  ];
}

function validateStrategy({ type, rollingUpdate }: StatefulSetUpdateStrategy): FieldError[] {
  const field = 'spec.updateStrategy';
  const place = `${field}.rollingUpdate`;
  if (!type) return [required(field)];
  if (type === 'OnDelete') {
    return rollingUpdate
      ? [invalidValue(place, rollingUpdate as JsonValue, "only allowed for updateStrategy 'RollingUpdate'")]
      : [];
  }
  if (type !== 'RollingUpdate') return [invalidValue(field, type, "must be 'RollingUpdate' or 'OnDelete'")];
  const { partition, maxUnavailable } = rollingUpdate ?? {};
  const unavailable = `${place}.maxUnavailable`;
  return [
    ...nonNegative(`${place}.partition`, partition),
    ...positiveOrPercent(unavailable, maxUnavailable),
    ...(maxUnavailable !== undefined && plainNumber(maxUnavailable) === 0
      ? [invalidValue(unavailable, maxUnavailable, 'cannot be 0')]
      : []),
    ...atMostAll(unavailable, maxUnavailable),
  ];
}

/** Host name and subdomain are its own to give, and its claims are volumes of the pods. */
function validateSetTemplate({
  selector,
  template,
  volumeClaimTemplates = [],
}: StatefulSetSpec): FieldError[] {
  if (selector && validateSelector(selector, '').length > 0) {
    return [invalidValue('spec.selector', selector as JsonValue, 'invalid label selector')];
  }
  const labels = template?.metadata?.labels ?? {};
  const isSelected = selector !== undefined && matcherFrom(selector).matches(labels);
  const { hostname: _hostname, subdomain: _subdomain, ...spec } = template?.spec ?? { containers: [] };
  const claims = new Map(
    volumeClaimTemplates.map(({ metadata }) => [metadata?.name ?? '', claimVolume(metadata?.name)]),
  );
  const volumes = [...claims.values(), ...(spec.volumes ?? []).filter(({ name }) => !claims.has(name))];
  const whole: PodTemplateSpec = { ...template, spec: { ...spec, volumes } };
  return [
    ...(isSelected ? [] : [notSelected('spec.template', labels)]),
    ...validateTemplate(whole, 'spec.template'),
  ];
}

const claimVolume = (name = '') => ({ name, persistentVolumeClaim: { claimName: name } });

const changeable = [
  ...['replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit'],
  'persistentVolumeClaimRetentionPolicy',
];
const changeableToo = 'minReadySeconds';

function validateKept(next: StatefulSetSpec, previous: StatefulSetSpec): FieldError[] {
  const kept = (spec: StatefulSetSpec) =>
    Object.fromEntries(
      Object.entries(spec).filter(([name]) => !changeable.includes(name) && name !== changeableToo),
    ) as JsonObject;
  if (jsonEqual(kept(next), kept(previous))) return [];
  const names = changeable.map((name) => `'${name}'`).join(', ');
  const detail = `updates to statefulset spec for fields other than ${names} and '${changeableToo}' are forbidden`;
  return [forbiddenField('spec', detail)];
}

function validateStatus({ status }: StatefulSet, previous: StatefulSet): FieldError[] {
  const counts = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
  return [
    ...validateCounts(
      status,
      [...counts, 'observedGeneration', 'collisionCount'],
      [
        ['readyReplicas', 'replicas'],
        ['currentReplicas', 'replicas'],
        ['updatedReplicas', 'replicas'],
        ['availableReplicas', 'replicas'],
        ['availableReplicas', 'readyReplicas'],
      ],
    ),
    ...notDecremented('status.collisionCount', status?.collisionCount, previous.status?.collisionCount),
  ];
}
