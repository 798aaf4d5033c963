/** Devices that drivers tell of. */

import type { ResourceSlice, ResourceSliceSpec } from '../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  invalidValue,
  required,
  tooMany,
} from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { dnsLabel, dnsSubdomain } from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import type { KindDefinition } from '../definition.ts';
import { validateBindingConditions } from './binding-conditions.ts';
import { validateDriverName, validatePoolName } from './device-parts.ts';

const devicesMax = 128;

const printer: Printer<ResourceSlice> = {
  columns: [nameColumn, column('Node'), column('Driver'), column('Pool'), ageColumn],
  cells: ({ metadata, spec }, nowMs) => [
    ...[metadata?.name ?? '', spec?.nodeName ?? '', spec?.driver ?? '', spec?.pool?.name ?? ''],
    age(metadata?.creationTimestamp, nowMs),
  ],
};

/** Devices that drivers tell of. */
export const resourceSlice: KindDefinition<ResourceSlice> = {
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  printer,
  fieldLabels: { 'spec.nodeName': '', 'spec.driver': '' },
  unselectable: (field, version) =>
    `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${field}`,
  validate: ({ spec }) => validateSlice(spec),
  validateUpdate: (next, previous) => [
    ...validateSlice(next.spec),
    ...immutable('spec.driver', next.spec?.driver, previous.spec?.driver),
    ...immutable('spec.pool.name', next.spec?.pool?.name, previous.spec?.pool?.name),
    ...immutable('spec.nodeName', next.spec?.nodeName, previous.spec?.nodeName),
  ],
  descriptions: {
    ResourceSlice: { '': 'Devices that a driver has on a node.' },
  },
};

function validateSlice(spec: Partial<ResourceSliceSpec> = {}): FieldError[] {
  const { driver, pool, nodeName, nodeSelector, allNodes, perDeviceNodeSelection, devices = [] } = spec;
  const { name, resourceSliceCount = 0 } = pool ?? {};
  const isRepeat = repeats<string>();
  const ways = [nodeName, nodeSelector, allNodes, perDeviceNodeSelection].filter((way) => way !== undefined);
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  return [
    ...validateDriverName('spec.driver', driver),
    ...validatePoolName('spec.pool.name', name),
    ...(resourceSliceCount > 0
      ? []
      : [invalidValue('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero')]),
    ...(nodeName === undefined ? [] : check('spec.nodeName', nodeName, dnsSubdomain)),
    ...(ways.length === 0 ? [required('spec', detail)] : []),
    ...(ways.length > 1 ? [invalidValue('spec', {}, detail)] : []),
    ...(devices.length > devicesMax ? [tooMany('spec.devices', devices.length, devicesMax)] : []),
    ...devices.flatMap((device, index) => {
      const { name: own } = device;
      const place = at('spec.devices', index);
      const isRepeated = isRepeat(own);
      return [
        ...check(child(place, 'name'), own ?? '', dnsLabel),
        ...(isRepeated ? [duplicate(place, own)] : []),
        ...validateBindingConditions(device, place),
      ];
    }),
  ];
}
