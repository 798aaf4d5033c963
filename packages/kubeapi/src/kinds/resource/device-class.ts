/** Device classes. */

import type { DeviceClass } from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json/json-value.ts';
import { type FieldError, invalidValue } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, nameColumn, type Printer } from '../../table/printer.ts';
import { qualifiedName } from '../../validation/formats.ts';
import { isNativeResource } from '../../validation/resource-amounts.ts';
import type { KindDefinition } from '../definition.ts';
import { configurationsMax, validateConfiguration, validateSelectors } from './device-parts.ts';
import { validateList } from './lists.ts';

const printer: Printer<DeviceClass> = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }, nowMs) => [metadata?.name ?? '', age(metadata?.creationTimestamp, nowMs)],
};

/** Device classes. */
export const deviceClass: KindDefinition<DeviceClass> = {
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  printer,
  validate: (object) => validateClass(object),
  validateUpdate: validateClass,
  descriptions: {
    DeviceClass: { '': 'Which devices a claim can ask for by one name.' },
  },
};

/** None of Kubernetes' own, and one that quotas can count. */
const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;

function validateClass({ spec = {} }: DeviceClass, previous?: DeviceClass): FieldError[] {
  const { selectors = [], config = [], extendedResourceName: resource } = spec;
  const isStored = jsonEqual(config as unknown as JsonValue, previous?.spec?.config as unknown as JsonValue);
  return [
    ...validateSelectors(selectors, 'spec.selectors'),
    ...validateList('spec.config', config, configurationsMax, (each, place) =>
      validateConfiguration(each, place, isStored),
    ),
    ...(resource === undefined || isExtendedResource(resource)
      ? []
      : [invalidValue('spec.extendedResourceName', resource, 'must be a valid extended resource name')]),
  ];
}
