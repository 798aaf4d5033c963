/** Violations in templates of pods. */

import type { PodTemplateSpec } from '../../../../generated/types.ts';
import {
  child,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
} from '../../../../status/field-error.ts';
import { validateAnnotations, validateLabels } from '../../../../validation/metadata.ts';
import { contradictedFields, validatePodAnnotations } from './annotations.ts';
import { validatePodSpec } from './pod.ts';

/**
 * Violations in a template: its labels, annotations and spec. Upstream leaves `metadata` out of the fields' names. Label
 * selectors that `previous` has wrong already may stay so.
 */
export function validateTemplate(
  template: PodTemplateSpec | undefined,
  field: string,
  previous?: PodTemplateSpec,
): FieldError[] {
  const { metadata, spec = { containers: [] } } = template ?? {};
  return [
    ...validateLabels(metadata?.labels, child(field, 'labels')),
    ...validateAnnotations(metadata?.annotations, child(field, 'annotations')),
    ...validatePodAnnotations(metadata?.annotations, spec, {
      field: child(field, 'annotations'),
      before: previous?.metadata?.annotations,
    }),
    ...validatePodSpec(spec, child(field, 'spec'), previous?.spec),
    ...contradictedFields(metadata?.annotations, spec, child(field, 'spec')),
  ];
}

/** Labels that the selector of their owner does not match. */
export function notSelected(template: string, labels: Record<string, string>): FieldError {
  const detail = '`selector` does not match template `labels`';
  return invalidValue(
    child(template, 'metadata', 'labels'),
    Object.keys(labels).length === 0 ? null : labels,
    detail,
  );
}

/** Violations in a template whose pods are to run for good. */
export function validateLasting(template: PodTemplateSpec | undefined): FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  const spec = 'spec.template.spec';
  return [
    ...(restartPolicy === 'Always'
      ? []
      : [notSupported(child(spec, 'restartPolicy'), restartPolicy, ['Always'])]),
    ...(activeDeadlineSeconds === undefined
      ? []
      : [forbiddenField(child(spec, 'activeDeadlineSeconds'), 'its pods run until they are taken away')]),
  ];
}
