/** Violations in levels of priority (upstream: pkg/apis/flowcontrol/validation). */
import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json/json-value.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { mandatoryPriorityLevels } from './mandatory-objects.ts';

/** Was for a conversion between older versions. */
const roundTripAnnotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const queuesMax = 10_000_000;
/** Bits of the hash that upstream deals hands by. */
const hashBitsMax = 60;
const notNegative = 'must be a non-negative integer';
const isPercentage = (value: number | undefined) => value === undefined || (value >= 0 && value <= 100);

/** Violations in a level, its status apart. */
export function priorityLevelErrors({ metadata, spec }: PriorityLevelConfiguration): FieldError[] {
  const { name = '', annotations = {} } = metadata;
  return [
    ...(roundTripAnnotation in annotations
      ? [forbiddenField('metadata.annotations', `annotation '${roundTripAnnotation}' is forbidden`)]
      : []),
    ...((name === 'exempt') === (spec.type === 'Exempt')
      ? []
      : [invalidValue('spec.type', spec.type, "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...specErrors(spec),
    ...fixedErrors(name, spec),
  ];
}

function specErrors({ type, limited, exempt }: PriorityLevelConfigurationSpec): FieldError[] {
  if (type === 'Exempt') {
    return [
      ...(limited ? [forbiddenField('spec.limited', 'must be nil if the type is not Limited')] : []),
      ...(exempt ? shareErrors(exempt, 'spec.exempt') : []),
    ];
  }
  if (type !== 'Limited') return [notSupported('spec.type', type, ['Exempt', 'Limited'])];
  return [
    ...(exempt ? [forbiddenField('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...(limited
      ? limitedErrors(limited)
      : [required('spec.limited', 'must not be empty when type is Limited')]),
  ];
}

function shareErrors(
  { nominalConcurrencyShares: shares = 0, lendablePercent }: LimitedPriorityLevelConfiguration,
  place: string,
): FieldError[] {
  return [
    ...(shares < 0 ? [invalidValue(`${place}.nominalConcurrencyShares`, shares, notNegative)] : []),
    ...(isPercentage(lendablePercent)
      ? []
      : [invalidValue(`${place}.lendablePercent`, lendablePercent, 'must be between 0 and 100, inclusive')]),
  ];
}

function limitedErrors(limited: LimitedPriorityLevelConfiguration): FieldError[] {
  const { borrowingLimitPercent: borrowing = 0, limitResponse = { type: '' } } = limited;
  const field = 'spec.limited.borrowingLimitPercent';
  return [
    ...shareErrors(limited, 'spec.limited'),
    ...responseErrors(limitResponse),
    ...(borrowing < 0 ? [invalidValue(field, borrowing, `if specified, ${notNegative}`)] : []),
  ];
}

function responseErrors({ type, queuing }: LimitResponse): FieldError[] {
  const field = 'spec.limited.limitResponse.queuing';
  const ifNot = 'if limited.limitResponse.type is';
  if (type === 'Reject') return queuing ? [forbiddenField(field, `must be nil ${ifNot} not Limited`)] : [];
  if (type === 'Queue')
    return queuing ? queuingErrors(queuing, field) : [required(field, `must not be empty ${ifNot} Limited`)];
  return [notSupported('spec.limited.limitResponse.type', type, ['Queue', 'Reject'])];
}

function queuingErrors(
  { queueLengthLimit = 0, queues = 0, handSize = 0 }: QueuingConfiguration,
  place: string,
): FieldError[] {
  const is = (field: string, value: number, detail: string) =>
    invalidValue(`${place}.${field}`, value, detail);
  const positive = 'must be positive';
  return [
    ...(queueLengthLimit <= 0 ? [is('queueLengthLimit', queueLengthLimit, positive)] : []),
    ...(queues <= 0 ? [is('queues', queues, positive)] : []),
    ...(queues > queuesMax ? [is('queues', queues, `must not be greater than ${queuesMax}`)] : []),
    ...handErrors(queues, handSize, (detail) => is('handSize', handSize, detail)),
  ];
}

function handErrors(queues: number, handSize: number, is: (detail: string) => FieldError): FieldError[] {
  if (handSize <= 0) return [is('must be positive')];
  if (handSize > queues) return [is(`should not be greater than queues (${queues})`)];
  const what = `required entropy bits of deckSize ${queues} and handSize ${handSize}`;
  return bitsOfHand(queues, handSize) > hashBitsMax
    ? [is(`${what} should not be greater than ${hashBitsMax}`)]
    : [];
}

/** Bits that tell all hands of so many cards apart; no more of them are counted than matter. */
function bitsOfHand(queues: number, handSize: number): number {
  let bits = 0;
  for (let dealt = 0; dealt < handSize && bits <= hashBitsMax; dealt++) bits += Math.log2(queues - dealt);
  return Math.ceil(bits);
}

function fixedErrors(name: string, spec: PriorityLevelConfigurationSpec): FieldError[] {
  const fixed = mandatoryPriorityLevels.find(({ metadata }) => metadata.name === name)?.spec;
  if (!fixed) return [];
  const shown = asJson(spec);
  if (name !== 'exempt')
    return jsonEqual(asJson(fixed), shown)
      ? []
      : [invalidValue('spec', shown, `spec of '${name}' must equal the fixed value`)];
  const { exempt: _exempt, ...rest } = spec;
  const detail = "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value";
  return jsonEqual(asJson(rest), { type: 'Exempt' }) ? [] : [invalidValue('spec', shown, detail)];
}

const asJson = (spec: object) => spec as unknown as JsonValue;
