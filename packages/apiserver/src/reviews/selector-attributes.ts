/** Selectors that a review asks about, beside what is to be selected from (upstream: apis/authorization/validation). */
import {
  at,
  child,
  type FieldError,
  FieldMatcher,
  type FieldSelectorAttributes,
  type FieldTerm,
  invalidValue,
  type LabelSelectorAttributes,
  labelValueFormat,
  matcherFrom,
  qualifiedName,
  type ResourceAttributes,
  required,
  validateRequirementValues,
} from '@wherry/kubeapi';

/** What is wrong with them. Operators that a later server may know are none of it. */
export function selectorErrors({ fieldSelector, labelSelector }: ResourceAttributes): FieldError[] {
  const place = 'spec.resourceAttributes';
  return [
    ...(fieldSelector ? attributesErrors(child(place, 'fieldSelector'), fieldSelector, fieldErrors) : []),
    ...(labelSelector ? attributesErrors(child(place, 'labelSelector'), labelSelector, labelErrors) : []),
  ];
}

interface Requirement {
  key: string;
  operator: string;
  values?: string[] | undefined;
}

type RequirementCheck = (place: string, requirement: Requirement) => FieldError[];

const fieldErrors: RequirementCheck = (place, { key, operator, values = [] }) => [
  ...(key ? [] : [required(child(place, 'key'), 'must be specified')]),
  ...validateRequirementValues(place, operator, values),
];

const labelErrors: RequirementCheck = (place, { key = '', operator, values = [] }) => [
  ...validateRequirementValues(place, operator, values),
  ...qualifiedName(key).map((why) => invalidValue(child(place, 'key'), key, why)),
  ...values.flatMap((value, index) =>
    labelValueFormat(value).map((why) => invalidValue(at(child(place, 'values'), index), value, why)),
  ),
];

function attributesErrors(
  place: string,
  { rawSelector = '', requirements = [] }: FieldSelectorAttributes | LabelSelectorAttributes,
  check: RequirementCheck,
): FieldError[] {
  const here = child(place, 'requirements');
  const errors = requirements.flatMap((requirement, index) => check(at(here, index), requirement));
  const isBoth = rawSelector !== '' && requirements.length > 0;
  if (isBoth) {
    const why = 'may not specified at the same time as requirements';
    errors.unshift(invalidValue(child(place, 'rawSelector'), rawSelector, why));
  }
  if (rawSelector === '' && requirements.length === 0)
    errors.push(required(here, `when ${place} is specified, requirements or rawSelector is required`));
  return errors;
}

/** As a list would say it. What can't be said so is left out: that asks for more, never for less. */
export function fieldSelectorText({ rawSelector, requirements = [] }: FieldSelectorAttributes): string {
  if (rawSelector) return rawSelector;
  const terms = requirements.flatMap(({ key: field, operator, values = [] }): FieldTerm[] => {
    const [value] = values;
    const isKnown = operator === 'In' || operator === 'NotIn';
    return isKnown && value !== undefined && values.length === 1
      ? [{ field, isEqual: operator === 'In', value }]
      : [];
  });
  return new FieldMatcher(terms).toString();
}

/** The same of labels. */
export function labelSelectorText({ rawSelector, requirements = [] }: LabelSelectorAttributes): string {
  if (rawSelector) return rawSelector;
  const known = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const said = requirements.filter(({ operator }) => known.has(operator));
  return matcherFrom({ matchExpressions: said }).toString();
}
