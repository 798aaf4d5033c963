import type { ResourceSlice } from '@wherry/kubeapi';
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
    prepareCreate: (slice, _user, nowText) => dateTaints(slice, nowText),
    prepareUpdate: (next, _previous, nowText) => dateTaints(next, nowText),
  },
};

/** Evictions count from when a taint came: now, unless its driver says otherwise (upstream: SetDefaults_DeviceTaint). */
function dateTaints(slice: ApiObject, nowText: string): void {
  for (const { taints = [] } of as<Partial<ResourceSlice>>(slice).spec?.devices ?? [])
    for (const taint of taints) taint.timeAdded ??= nowText;
}
