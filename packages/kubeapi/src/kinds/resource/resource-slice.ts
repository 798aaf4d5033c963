/** Devices that drivers tell of (upstream: validateResourceSliceSpec). */

import type { Device, ResourcePool, ResourceSlice, ResourceSliceSpec } from '../../generated/types.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { child, type FieldError, invalidValue, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { dnsSubdomain } from '../../validation/formats.ts';
import { check, immutable } from '../../validation/metadata.ts';
import { validateNodeSelector } from '../../validation/node-selector.ts';
import { validateCsiDriverName } from '../../validation/references.ts';
import type { KindDefinition } from '../definition.ts';
import { hasList } from './devices/attributes.ts';
import { validateCounterSet } from './devices/counters.ts';
import { validateDevice } from './devices/device.ts';
import { validateSet } from './lists.ts';
import { validatePoolName } from './names.ts';

const devicesMax = 128;
/** Where devices have taints, counters or lists. */
const elaborateDevicesMax = 64;
const counterSetsMax = 8;

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
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: (next, previous) => [
    ...validateSpec(next.spec, previous.spec),
    ...immutable('spec.driver', next.spec?.driver, previous.spec?.driver),
    ...immutable('spec.pool.name', next.spec?.pool?.name, previous.spec?.pool?.name),
    ...immutable('spec.nodeName', next.spec?.nodeName, previous.spec?.nodeName),
  ],
  computedDefaults: { NodeAllocatableResourceMapping: defaultMapping },
  descriptions: {
    ResourceSlice: { '': 'Devices that a driver has on a node.' },
  },
};

/** A capacity counts as it is, unless it says otherwise. */
function defaultMapping(mapping: JsonObject): void {
  mapping['allocationMultiplier'] ??= '1';
}

function validateSpec(
  spec: Partial<ResourceSliceSpec> = {},
  previous: Partial<ResourceSliceSpec> = {},
): FieldError[] {
  const { devices, sharedCounters } = spec;
  const before = new Map(previous.devices?.toReversed().map((device) => [device.name, device]));
  return [
    ...validateCsiDriverName('spec.driver', spec.driver),
    ...validatePool(spec.pool),
    ...validateNodes(spec),
    ...(devices && sharedCounters
      ? [invalidValue('spec', '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...validateSet('spec.devices', devices, {
      most: devices?.some(isElaborate) ? elaborateDevicesMax : devicesMax,
      validateItem: (device, place) =>
        validateDevice(device, place, {
          previous: before.get(device.name),
          choosesNodes: spec.perDeviceNodeSelection === true,
        }),
      keyOf: ({ name }) => name ?? '',
    }),
    ...validateSet('spec.sharedCounters', sharedCounters, {
      most: counterSetsMax,
      validateItem: validateCounterSet,
      keyOf: ({ name }) => name ?? '',
    }),
  ];
}

const isElaborate = (device: Device): boolean =>
  (device.taints?.length ?? 0) > 0 || (device.consumesCounters?.length ?? 0) > 0 || hasList(device);

function validatePool({
  name,
  resourceSliceCount = 0,
  generation = 0,
}: Partial<ResourcePool> = {}): FieldError[] {
  const field = 'spec.pool';
  return [
    ...validatePoolName(child(field, 'name'), name),
    ...(resourceSliceCount > 0
      ? []
      : [invalidValue(child(field, 'resourceSliceCount'), resourceSliceCount, 'must be greater than zero')]),
    ...(generation >= 0
      ? []
      : [invalidValue(child(field, 'generation'), generation, 'must be greater than or equal to zero')]),
  ];
}

/** Which nodes can have the devices: told in one way. */
function validateNodes(spec: Partial<ResourceSliceSpec>): FieldError[] {
  const { nodeName, nodeSelector } = spec;
  const flags = ['allNodes', 'perDeviceNodeSelection'] as const;
  const ways = [
    ...(nodeName ? ['`nodeName`'] : []),
    ...(nodeSelector ? ['`nodeSelector`'] : []),
    ...flags.filter((flag) => spec[flag] === true).map((flag) => `\`${flag}\``),
  ];
  const terms = (nodeSelector?.nodeSelectorTerms ?? []) as readonly object[];
  const detail =
    'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  return [
    ...(nodeName ? check('spec.nodeName', nodeName, dnsSubdomain) : []),
    ...(nodeName === ''
      ? [invalidValue('spec.nodeName', '', 'must be either unset or set to a non-empty string')]
      : []),
    ...(nodeSelector ? validateNodeSelector(nodeSelector, 'spec.nodeSelector') : []),
    ...(nodeSelector && terms.length !== 1
      ? [
          invalidValue(
            'spec.nodeSelector.nodeSelectorTerms',
            terms as JsonValue,
            'must have exactly one node selector term',
          ),
        ]
      : []),
    ...flags
      .filter((flag) => spec[flag] === false)
      .map((flag) => invalidValue(child('spec', flag), false, 'must be either unset or set to true')),
    ...(ways.length === 0 ? [required('spec', detail)] : []),
    ...(ways.length > 1
      ? [invalidValue('spec', `{${ways.join(', ')}}`, `${detail}, but multiple fields are set`)]
      : []),
  ];
}
