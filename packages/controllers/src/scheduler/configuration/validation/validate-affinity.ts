/** Violations in affinities to nodes as who selects by them finds them (component-helpers scheduling/corev1/nodeaffinity, labels.NewRequirement). */
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
  labelValueFormat,
  notSupported,
  qualifiedName,
} from '@wherry/kubeapi';
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from '@wherry/kubeapi/objects';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const fieldOperators = ['In', 'NotIn'];

/** Of terms of which one must hold. */
export function validateNodeTerms({ nodeSelectorTerms = [] }: NodeSelector, path: FieldPath): FieldError[] {
  return nodeSelectorTerms.flatMap((term, index) =>
    validateTerm(term, at(child(path, 'nodeSelectorTerms'), index)),
  );
}

/** Of terms that count by their weight; those that weigh nothing are not looked at. */
export function validatePreferredTerms(
  terms: readonly PreferredSchedulingTerm[],
  path: FieldPath,
): FieldError[] {
  return terms.flatMap(({ weight, preference }, index) =>
    weight === 0 ? [] : validateTerm(preference, at(path, index)),
  );
}

function validateTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  path: FieldPath,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((each, index) =>
      validateExpression(each, at(child(path, 'matchExpressions'), index)),
    ),
    ...matchFields.flatMap((each, index) => validateField(each, at(child(path, 'matchFields'), index))),
  ];
}

function validateExpression(
  { key, operator, values }: NodeSelectorRequirement,
  path: FieldPath,
): FieldError[] {
  if (!operators.includes(operator)) return [notSupported(child(path, 'operator'), operator, operators)];
  const place = child(path, 'values');
  const keyFaults = qualifiedName(key);
  const detail = countFault(operator, values?.length ?? 0);
  const isNumeric = operator === 'Gt' || operator === 'Lt';
  const notWhole = "for 'Gt', 'Lt' operators, the value must be an integer";
  return [
    ...(keyFaults.length > 0 ? [invalidValue(child(path, 'key'), key, keyFaults.join('; '))] : []),
    ...(detail === undefined ? [] : [invalidValue(place, values, detail)]),
    ...(values ?? []).flatMap((value, index) =>
      isNumeric && !isWhole(value) ? [invalidValue(at(place, index), value, notWhole)] : [],
    ),
    ...(values ?? []).flatMap((value, index) => {
      const faults = labelValueFormat(value);
      return faults.length > 0 ? [invalidValue(at(at(place, index), key), value, faults.join('; '))] : [];
    }),
  ];
}

function countFault(operator: string, count: number): string | undefined {
  if (operator === 'In' || operator === 'NotIn')
    return count > 0 ? undefined : "for 'in', 'notin' operators, values set can't be empty";
  if (operator === 'Gt' || operator === 'Lt')
    return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
}

const isWhole = (text: string): boolean => {
  if (!/^[-+]?\d+$/.test(text)) return false;
  return BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''));
};

function validateField({ operator, values }: NodeSelectorRequirement, path: FieldPath): FieldError[] {
  if (!fieldOperators.includes(operator))
    return [notSupported(child(path, 'operator'), operator, fieldOperators)];
  return values?.length === 1 ? [] : [invalidValue(child(path, 'values'), values, 'must have one element')];
}
