/** Violations in what selects nodes: terms of affinities and of volumes. */

import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../status/field-error.ts';
import { dnsSubdomain, labelValueFormat, qualifiedName } from './formats.ts';
import { check } from './metadata.ts';

/** Violations in a selector: at least one term. */
export function validateNodeSelector(selector: NodeSelector, field: FieldPath): FieldError[] {
  const place = child(field, 'nodeSelectorTerms');
  const terms = selector.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(place, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, at(place, index)));
}

/** Violations in a term; `takesAnyValue` where labels are not checked for what a label may be. */
export function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  field: FieldPath,
  takesAnyValue = false,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((each, index) =>
      validateRequirement(each, at(child(field, 'matchExpressions'), index), takesAnyValue),
    ),
    ...matchFields.flatMap((each, index) =>
      validateFieldRequirement(each, at(child(field, 'matchFields'), index)),
    ),
  ];
}

function validateRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  field: FieldPath,
  takesAnyValue: boolean,
): FieldError[] {
  const place = child(field, 'values');
  return [
    ...validateOperator(operator, values, field),
    ...check(child(field, 'key'), key, qualifiedName),
    ...(takesAnyValue
      ? []
      : values.flatMap((value, index) => check(at(place, index), value, labelValueFormat))),
  ];
}

function validateOperator(operator: string, values: readonly string[], field: FieldPath): FieldError[] {
  const place = child(field, 'values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(place, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(place, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? []
        : [required(place, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(child(field, 'operator'), operator, 'not a valid selector operator')];
  }
}

function validateFieldRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  field: FieldPath,
): FieldError[] {
  const place = child(field, 'values');
  const takesValues = operator === 'In' || operator === 'NotIn';
  return [
    ...(takesValues
      ? []
      : [invalidValue(child(field, 'operator'), operator, 'not a valid selector operator')]),
    ...(takesValues && values.length !== 1
      ? [required(place, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")]
      : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) => check(at(place, index), value, dnsSubdomain))
      : [invalidValue(child(field, 'key'), key, 'not a valid field selector key')]),
  ];
}
