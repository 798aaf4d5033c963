/** Templates of claims on devices. */
import type { ResourceClaimTemplate } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
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

function validateTemplate({ spec }: ResourceClaimTemplate) {
  return [
    ...validateLabels(spec?.metadata?.labels, 'spec.metadata.labels'),
    ...validateAnnotations(spec?.metadata?.annotations, 'spec.metadata.annotations'),
    ...validateClaim(spec?.spec ?? {}, 'spec.spec'),
  ];
}
