/** What deployments, replica sets, stateful sets and daemon sets have in common (upstream: pkg/apis/apps/validation). */

import { object } from '../../defaults/parts.ts';
import type { LabelSelector, PodTemplateSpec } from '../../generated/types.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { matcherFrom } from '../../selector/label-selector.ts';
import { type FieldError, invalidValue, required } from '../../status/field-error.ts';
import { immutable, validateSelector } from '../../validation/metadata.ts';
import { notSelected, validateLasting, validateTemplate } from '../core/pod/validation/template.ts';

/** Words for their common fields. */
export const words = {
  replicas: 'How many pods are wanted; 1 unless said otherwise.',
  selector: 'Which pods belong to it. Must match the labels of the template.',
  template: 'What its pods look like.',
};

/** Violations in a selector that must select something; an absent one is `Required value`. */
export function validateOwnSelector(selector: LabelSelector | undefined): FieldError[] {
  if (selector === undefined) return [required('spec.selector')];
  const errors = validateSelector(selector, 'spec.selector');
  if (isEverything(selector)) {
    errors.push(invalidValue('spec.selector', selector as JsonValue, 'empty selector is invalid here'));
  }
  return errors;
}

/** Violations in a template: it must be selected, and run until somebody ends it. */
export function validateOwnTemplate(
  selector: LabelSelector | undefined,
  template: PodTemplateSpec | undefined,
  previous?: PodTemplateSpec,
): FieldError[] {
  const place = 'spec.template';
  if (selector && validateSelector(selector, '').length > 0) {
    // With a selector that cannot be read the template is not looked into, as upstream does.
    return [invalidValue('spec.selector', selector as JsonValue, 'invalid label selector')];
  }
  const labels = template?.metadata?.labels ?? {};
  const isSelected =
    selector !== undefined && (isEverything(selector) || matcherFrom(selector).matches(labels));
  return [
    ...(isSelected ? [] : [notSelected(place, labels)]),
    ...validateTemplate(template, place, previous),
    ...validateLasting(template),
  ];
}

/** A selector that stays. */
export function sameSelector(
  next: { spec: { selector?: LabelSelector } },
  previous: { spec: { selector?: LabelSelector } },
): FieldError[] {
  const [after, before] = [next, previous].map(({ spec }) => spec.selector as JsonValue | undefined);
  return immutable('spec.selector', after, before);
}

/** A rolling update has its own part, with these bounds unless it says otherwise; other strategies have none. */
export const defaultRollingUpdate =
  (bounds: JsonObject) =>
  (strategy: JsonObject): void => {
    if (strategy['type'] && strategy['type'] !== 'RollingUpdate') return;
    strategy['rollingUpdate'] = { ...bounds, ...object(strategy['rollingUpdate']) };
  };

/** True for a selector without a word. */
export function isEverything({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0;
}
