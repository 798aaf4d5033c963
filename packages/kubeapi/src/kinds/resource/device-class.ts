/** Device classes. */

import type { DeviceClass } from '../../generated/types.ts';
import { type FieldError, invalidValue } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, nameColumn, type Printer } from '../../table/printer.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { isNativeResource } from '../../validation/resource-amounts.ts';
import type { KindDefinition } from '../definition.ts';
import { validateConfiguration, validateSelectors } from './device-parts.ts';

const printer: Printer<DeviceClass> = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }, nowMs) => [metadata?.name ?? '', age(metadata?.creationTimestamp, nowMs)],
};

/** Device classes. */
export const deviceClass: KindDefinition<DeviceClass> = {
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  printer,
  validate: validateClass,
  descriptions: {
    DeviceClass: { '': 'Which devices a claim can ask for by one name.' },
  },
};

/** None of Kubernetes' own, and one that quotas can count. */
const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;

function validateClass({ spec = {} }: DeviceClass): FieldError[] {
  const { extendedResourceName: resource } = spec;
  return [
    ...validateSelectors(spec.selectors ?? [], 'spec.selectors'),
    ...validateConfiguration(spec.config ?? [], 'spec.config'),
    ...(resource === undefined || isExtendedResource(resource)
      ? []
      : [invalidValue('spec.extendedResourceName', resource, 'must be a valid extended resource name')]),
  ];
}
