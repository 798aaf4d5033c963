/** Bounds and defaults for resources in a namespace. */

import { object } from '../../defaults/parts.ts';
import type { LimitRange, LimitRangeItem } from '../../generated/types.ts';
import { type JsonObject, ownValue } from '../../json/json-value.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { check } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import {
  mayOvercommit,
  validateContainerResourceName,
  validateResourceName,
} from '../../validation/resource-names.ts';
import { parseQuantity, type Quantity } from '../../values/quantity.ts';
import type { KindDefinition } from '../definition.ts';

/** Bounds and defaults for resources in a namespace. */
export const limitRange: KindDefinition<LimitRange> = {
  group: '',
  kind: 'LimitRange',
  validate: ({ spec }) => validateLimits(spec?.limits ?? []),
  computedDefaults: {
    LimitRangeItem: defaultLimitRange,
  },
  descriptions: {
    LimitRange: { '': 'Bounds and defaults for resources in a namespace.' },
  },
};

function defaultLimitRange(item: JsonObject): void {
  if (item['type'] !== 'Container') return;
  item['default'] = { ...object(item['max']), ...object(item['default']) };
  item['defaultRequest'] = { ...object(item['min']), ...item['default'], ...object(item['defaultRequest']) };
}

const standardTypes = ['Pod', 'Container', 'PersistentVolumeClaim'];

function validateLimits(limits: readonly LimitRangeItem[]): FieldError[] {
  const isRepeat = repeats<string | undefined>();
  return limits.flatMap((item, index) => {
    const place = at('spec.limits', index);
    const isRepeated = isRepeat(item.type);
    return [
      ...validateType(item.type ?? '', child(place, 'type')),
      ...(isRepeated ? [duplicate(child(place, 'type'), item.type)] : []),
      ...validateNames(item, place),
      ...validateBounds(item, place),
    ];
  });
}

function validateType(type: string, field: FieldPath): FieldError[] {
  const errors = check(field, type, qualifiedName);
  if (errors.length > 0 || type.includes('/') || standardTypes.includes(type)) return errors;
  return [invalidValue(field, type, 'must be a standard limit type or fully qualified')];
}

const parts = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
const notForPods: readonly string[] = ['default', 'defaultRequest'];

function validateNames(item: LimitRangeItem, place: FieldPath): FieldError[] {
  const { type } = item;
  const format =
    type === 'Pod' || type === 'Container' ? validateContainerResourceName : validateResourceName;
  const hasStorage = item.min?.['storage'] !== undefined || item.max?.['storage'] !== undefined;
  return [
    ...parts.flatMap((part) => {
      const names = Object.keys(item[part] ?? {});
      if (type !== 'Pod' || !notForPods.includes(part)) {
        return names.flatMap((name) => format(at(child(place, part), name), name));
      }
      return names.length === 0
        ? []
        : [forbiddenField(child(place, part), "may not be specified when `type` is 'Pod'")];
    }),
    ...(type === 'PersistentVolumeClaim' && !hasStorage
      ? [required(child(place, 'limits'), 'either minimum or maximum storage value is required')]
      : []),
  ];
}

/** Which of two parts may not be above the other, what upstream calls both, where that is told, and whose amount is shown there. */
const orders: readonly (readonly [low: Part, high: Part, told: Part, shown: Part])[] = [
  ['min', 'max', 'min', 'min'],
  ['min', 'defaultRequest', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'max', 'defaultRequest', 'defaultRequest'],
  ['defaultRequest', 'default', 'defaultRequest', 'defaultRequest'],
  ['min', 'default', 'default', 'min'],
  ['default', 'max', 'default', 'max'],
];
type Part = (typeof parts)[number];

function validateBounds(item: LimitRangeItem, place: FieldPath): FieldError[] {
  const considered = parts.filter((part) => item.type !== 'Pod' || !notForPods.includes(part));
  const names = new Set(considered.flatMap((part) => Object.keys(item[part] ?? {})));
  return [...names].flatMap((name) => {
    const amount = (part: Part): Quantity | undefined => {
      const text = considered.includes(part) ? ownValue(item[part], name) : undefined;
      return text === undefined ? undefined : parseQuantity(text);
    };
    const told = (part: Part, detail: string, shown = part) =>
      invalidValue(at(child(place, part), name), String(amount(shown)), detail);
    return [
      ...orders
        .filter(([low, high]) => isAbove(amount(low), amount(high)))
        .map(([low, high, part, shown]) =>
          told(
            part,
            `${calledLow(low)} ${amount(low)} is greater than ${calledHigh(low, high)} ${amount(high)}`,
            shown,
          ),
        ),
      ...validateRatio(amount).map((detail) => told('maxLimitRequestRatio', detail)),
      ...(mayOvercommit(name) || isSame(amount('default'), amount('defaultRequest'))
        ? []
        : [
            told(
              'defaultRequest',
              `default value ${amount('default')} must equal to defaultRequest value ${amount('defaultRequest')} in ${name}`,
            ),
          ]),
    ];
  });
}

const calledLow = (part: Part) => (part === 'defaultRequest' ? 'default request value' : `${part} value`);
const calledHigh = (low: Part, high: Part) =>
  low === 'defaultRequest' && high === 'default' ? 'default limit value' : calledLow(high);
const isAbove = (low: Quantity | undefined, high: Quantity | undefined) =>
  low !== undefined && high !== undefined && low.cmp(high) > 0;
const isSame = (left: Quantity | undefined, right: Quantity | undefined) =>
  left === undefined || right === undefined || left.cmp(right) === 0;

function validateRatio(amount: (part: Part) => Quantity | undefined): string[] {
  const [ratio, low, high] = [amount('maxLimitRequestRatio'), amount('min'), amount('max')];
  if (!ratio) return [];
  const most = low && high && Number(high.nanos) / Number(low.nanos);
  const isTooHigh = most !== undefined && Number(ratio.nanos) / 1e9 > most;
  return [
    ...(ratio.nanos < 1_000_000_000n ? [`ratio ${ratio} is less than 1`] : []),
    ...(isTooHigh ? [`ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`] : []),
  ];
}
