/** Violations in templates of pods. */

import { child, type FieldError } from '../../../../field-error.ts';
import type { PodTemplateSpec } from '../../../../generated/types.ts';
import { validateLabels } from '../../../../validation/metadata.ts';
import { validatePodSpec } from './pod.ts';

/** Violations in a template: its labels and its spec. */
export function validateTemplate(template: PodTemplateSpec | undefined, field: string): FieldError[] {
  const { metadata, spec = { containers: [] } } = template ?? {};
  return [
    ...validateLabels(metadata?.labels, child(field, 'metadata', 'labels')),
    ...validatePodSpec(spec, child(field, 'spec')),
  ];
}
