import type { Device, ResourceSlice } from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { specGenerations } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Devices of a node. */
export const resourceSlice: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  strategy: {
    ...specGenerations,
    returnsDeleted: true,
    warningsOf(slice) {
      const { driver = '' } = as<Partial<ResourceSlice>>(slice).spec ?? {};
      if (driver === driver.toLowerCase()) return [];
      const name = JSON.stringify(driver);
      return [`spec.driver: driver names should be lowercase; ${name} contains uppercase characters`];
    },
    prepareCreate(slice, _user, nowText) {
      dateTaints(slice, nowText);
      dropGated(slice, undefined);
    },
    prepareUpdate(next, previous, nowText) {
      dateTaints(next, nowText);
      dropGated(next, previous);
    },
  },
};

const devicesOf = (slice: ApiObject): readonly Device[] =>
  as<Partial<ResourceSlice>>(slice).spec?.devices ?? [];

/** Evictions count from when a taint came: now, unless its driver says otherwise (upstream: SetDefaults_DeviceTaint). */
function dateTaints(slice: ApiObject, nowText: string): void {
  for (const { taints = [] } of devicesOf(slice)) for (const taint of taints) taint.timeAdded ??= nowText;
}

const listNames = ['bools', 'ints', 'strings', 'versions'] as const;

const hasLists = ({ attributes = {} }: Device): boolean =>
  Object.values(attributes).some((attribute) => listNames.some((name) => attribute[name] !== undefined));
const hasMappings = ({ nodeAllocatableResourceMappings }: Device): boolean =>
  nodeAllocatableResourceMappings !== undefined;

/** What stands behind gates that upstream keeps off is dropped, unless the slice had some already (upstream: dropDisabledFields). */
function dropGated(slice: ApiObject, previous: ApiObject | undefined): void {
  const before = previous ? devicesOf(previous) : [];
  const keepsMappings = before.some(hasMappings);
  const keepsLists = before.some(hasLists);
  for (const device of devicesOf(slice)) {
    if (!keepsMappings) delete device.nodeAllocatableResourceMappings;
    if (keepsLists) continue;
    for (const attribute of Object.values(device.attributes ?? {}))
      for (const name of listNames) delete attribute[name];
  }
}
