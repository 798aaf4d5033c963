/** Resource quotas: what a namespace may use. */

import type { ResourceQuota, ResourceQuotaSpec } from '../../generated/types.ts';
import { ownValue } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { isQuotaName, validateQuotaName, validateResourceAmount } from '../../validation/resource-names.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<ResourceQuota> = {
  columns: [nameColumn, column('Request'), column('Limit'), ageColumn],
  cells({ metadata, status }, nowMs) {
    const names = Object.keys(status?.hard ?? {}).sort();
    const list = (isLimit: boolean) =>
      names
        .filter((name) => name.startsWith('limits.') === isLimit)
        .map((name) => `${name}: ${ownValue(status?.used, name) ?? '0'}/${ownValue(status?.hard, name)}`)
        .join(', ');
    return [metadata.name ?? '', list(false), list(true), age(metadata.creationTimestamp, nowMs)];
  },
};

/** Resource quotas: what a namespace may use. */
export const resourceQuota: KindDefinition<ResourceQuota> = {
  group: '',
  kind: 'ResourceQuota',
  printer,
  validate: ({ spec, status }) => [...validateSpec(spec ?? {}), ...validateAmounts(status, 'status')],
  validateUpdate: (next, previous) => [
    ...validateSpec(next.spec ?? {}),
    ...validateScopesKept(next.spec?.scopes, previous.spec?.scopes),
  ],
  validateSubresource: { status: ({ status }) => validateAmounts(status, 'status') },
  descriptions: {
    ResourceQuota: { '': 'How much a namespace may use.' },
  },
};

/** Scope → what it can bound; a scope that is not here bounds everything. */
const podCompute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const boundBy: Readonly<Record<string, readonly string[]>> = {
  Terminating: ['pods', ...podCompute],
  NotTerminating: ['pods', ...podCompute],
  BestEffort: ['pods'],
  NotBestEffort: ['pods', ...podCompute],
  PriorityClass: ['pods', ...podCompute],
  CrossNamespacePodAffinity: ['pods', ...podCompute],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const withoutValues = [
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
];

function validateAmounts(holder: object | undefined, field: FieldPath): FieldError[] {
  const { hard = {}, used = {} } = (holder ?? {}) as {
    hard?: Record<string, string>;
    used?: Record<string, string>;
  };
  return Object.entries({ hard, used }).flatMap(([part, amounts]) =>
    Object.entries(amounts).flatMap(([name, amount]) => {
      const place = at(child(field, part), name);
      return [...validateQuotaName(place, name), ...validateResourceAmount(place, name, amount)];
    }),
  );
}

function validateSpec(spec: ResourceQuotaSpec): FieldError[] {
  const { hard = {}, scopes = [], scopeSelector } = spec;
  const expressions = scopeSelector?.matchExpressions ?? [];
  const place = 'spec.scopeSelector.matchExpressions';
  return [
    ...validateAmounts({ hard }, 'spec'),
    ...scopes.flatMap((scope) => validateScope(scope, hard, ['spec.scopes', 'spec.scopes'])),
    ...validateOpposites(scopes, 'spec.scopes'),
    ...expressions.flatMap(({ scopeName, operator, values = [] }) => [
      ...validateScope(scopeName, hard, [`${place}.scopeName`, place]),
      ...validateOperator(scopeName, operator, values),
    ]),
    ...validateOpposites(
      expressions.map(({ scopeName }) => scopeName),
      place,
    ),
  ];
}

function validateScope(
  scope: string,
  hard: Record<string, string>,
  [unknownAt, unfitAt]: readonly [unknownAt: FieldPath, unfitAt: FieldPath],
): FieldError[] {
  const fitting = ownValue(boundBy, scope);
  if (!fitting) return [invalidValue(unknownAt, scope, 'unsupported scope')];
  return Object.keys(hard)
    .filter((name) => isQuotaName(name) && !fitting.includes(name))
    .map((name) => invalidValue(unfitAt, scope, `unsupported scope applied to resource ${name}`));
}

function validateOperator(scope: string, operator: string, values: readonly string[]): FieldError[] {
  const place = 'spec.scopeSelector.matchExpressions';
  const needsExists = withoutValues.includes(scope) && operator !== 'Exists';
  const errors = needsExists
    ? [invalidValue(`${place}.operator`, operator, `must be 'Exists' for ${scope}`)]
    : [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) errors.push(required(`${place}.values`, 'must be at least one value'));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) errors.push(invalidValue(`${place}.values`, [...values], 'must be no value'));
  } else errors.push(invalidValue(`${place}.operator`, operator, 'not a valid selector operator'));
  return errors;
}

function validateOpposites(scopes: readonly string[], field: FieldPath): FieldError[] {
  return opposites
    .filter((pair) => pair.every((scope) => scopes.includes(scope)))
    .map(() => invalidValue(field, [...scopes], 'conflicting scopes'));
}

function validateScopesKept(next: readonly string[] = [], previous: readonly string[] = []): FieldError[] {
  const isSame = new Set(next).symmetricDifference(new Set(previous)).size === 0;
  const shown = next.length === 0 ? null : [...next];
  return isSame ? [] : [invalidValue('spec.scopes', shown, 'field is immutable')];
}
