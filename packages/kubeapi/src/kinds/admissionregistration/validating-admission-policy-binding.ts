/** What policies that look at writes are applied to. */
import type { LabelSelector, ParamRef, ValidatingAdmissionPolicyBinding } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { bindingErrors } from './binding-rules.ts';

/** Of bindings of both kinds of policies. */
export const bindingPrinter: Printer<Pick<ValidatingAdmissionPolicyBinding, 'metadata' | 'spec'>> = {
  columns: [nameColumn, column('PolicyName'), column('ParamRef'), ageColumn],
  cells: ({ metadata, spec: { policyName = '', paramRef = {} } }, nowMs) => [
    ...[metadata.name ?? '', policyName, paramText(paramRef)],
    age(metadata.creationTimestamp, nowMs),
  ],
};

function paramText({ name, namespace, selector }: ParamRef): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector ? selectorText(selector) : '<unset>';
}

/** As Go prints one. */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

/** What policies that look at writes are applied to. */
export const validatingAdmissionPolicyBinding: KindDefinition<ValidatingAdmissionPolicyBinding> = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicyBinding',
  printer: bindingPrinter,
  validate: bindingErrors,
};
