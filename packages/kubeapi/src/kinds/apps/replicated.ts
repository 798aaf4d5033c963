/** What deployments, replica sets, stateful sets and daemon sets have in common. */

import { type FieldError, invalidValue, notSupported, required } from '../../field-error.ts';
import type { LabelSelector, PodTemplateSpec } from '../../generated/types.ts';
import type { JsonObject, JsonValue } from '../../json-value.ts';
import { matcherFrom } from '../../selector/label-selector.ts';
import { immutable, nonNegative, validateSelector } from '../../validation/metadata.ts';
import { validateTemplate } from '../core/pod/validation/template.ts';

/** Words for their common fields. */
export const words = {
  replicas: 'How many pods are wanted; 1 unless said otherwise.',
  selector: 'Which pods belong to it. Must match the labels of the template.',
  template: 'What its pods look like.',
};

interface ReplicatedSpec {
  replicas?: number;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  selector?: LabelSelector;
  template?: PodTemplateSpec;
}

/** Violations in deployments, replica sets, stateful sets and daemon sets. */
export function validateReplicated({ spec }: { spec: ReplicatedSpec }): FieldError[] {
  const errors = [
    ...nonNegative('spec.replicas', spec.replicas),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...validateSelectorMatches(spec),
    ...(hasGoodSelector(spec) ? validateTemplate(spec.template, 'spec.template') : []),
  ];
  const policy = spec.template?.spec?.restartPolicy;
  if (policy && policy !== 'Always') {
    errors.push(notSupported('spec.template.spec.restartPolicy', policy, ['Always']));
  }
  return errors;
}

/** Violations in a change of them. */
export function validateReplicatedUpdate(
  next: { spec: ReplicatedSpec },
  previous: { spec: ReplicatedSpec },
): FieldError[] {
  const { selector } = next.spec;
  const frozen = immutable(
    'spec.selector',
    selector as JsonValue | undefined,
    previous.spec.selector as JsonValue | undefined,
  );
  return [...validateReplicated(next), ...frozen];
}

/** With a selector that cannot be read the template is not looked into, as upstream does. */
const hasGoodSelector = ({ selector }: ReplicatedSpec) => validateSelector(selector, '').length === 0;

function validateSelectorMatches({ selector, template }: ReplicatedSpec): FieldError[] {
  if (selector === undefined) return [required('spec.selector')];
  const errors = validateSelector(selector, 'spec.selector');
  const isEmpty = !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length;
  if (isEmpty)
    errors.push(
      invalidValue('spec.selector', selector as JsonValue, 'empty selector is invalid for deployment'),
    );
  if (errors.length > 0) return errors;
  const labels = template?.metadata?.labels ?? {};
  if (matcherFrom(selector).matches(labels)) return [];
  return [
    invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'),
  ];
}

/** A rolling update has its own part, be it empty. */
export function defaultRollingUpdate(strategy: JsonObject): void {
  if (!strategy['type'] || strategy['type'] === 'RollingUpdate') strategy['rollingUpdate'] ??= {};
}
