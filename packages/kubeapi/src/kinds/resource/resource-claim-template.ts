/** Templates of claims on devices. */
import type { ObjectMeta, ResourceClaimTemplate } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { child, type FieldError, type FieldPath, forbiddenField } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, nameColumn, type Printer } from '../../table/printer.ts';
import { immutable, validateAnnotations, validateLabels } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';
import { validateClaim } from './device-requests.ts';

const printer: Printer<ResourceClaimTemplate> = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }, nowMs) => [metadata?.name ?? '', age(metadata?.creationTimestamp, nowMs)],
};

/** Templates of claims on devices. */
export const resourceClaimTemplate: KindDefinition<ResourceClaimTemplate> = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaimTemplate',
  printer,
  validate: validateTemplate,
  validateUpdate: (next, previous) => [
    ...validateTemplate(next),
    ...immutable('spec', next.spec as unknown as JsonValue, previous.spec as unknown as JsonValue),
  ],
};

function validateTemplate({ spec }: ResourceClaimTemplate): FieldError[] {
  return [
    ...validateLabels(spec?.metadata?.labels, 'spec.metadata.labels'),
    ...validateAnnotations(spec?.metadata?.annotations, 'spec.metadata.annotations'),
    ...validateRest(spec?.metadata ?? {}, 'spec.metadata'),
    ...validateClaim(spec?.spec ?? {}, 'spec.spec'),
  ];
}

const takenKeys = new Set(['labels', 'annotations']);

/** A claim gets labels and annotations of its template, and nothing else (upstream: ValidateTemplateObjectMeta). */
function validateRest(metadata: ObjectMeta, field: FieldPath): FieldError[] {
  return Object.entries(metadata)
    .filter(([key, value]) => !takenKeys.has(key) && value !== '' && !(key === 'generation' && value === 0))
    .map(([key]) => forbiddenField(child(field, key === 'uid' ? 'uID' : key), 'cannot be set'));
}
