import {
  type DeviceRequestAllocationResult,
  loadPatternEngine,
  type ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import { deviceKey } from '../../admission/devices/device-key.ts';
import { type ApiObject, as } from '../../objects/api-object.ts';
import { keepAllButStatus } from '../../objects/status-fields.ts';
import type { ServedKind } from '../definition.ts';

/** Claims on devices. */
export const resourceClaim: ServedKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceClaim',
  strategy: {
    // Their selectors may have patterns.
    ready: loadPatternEngine,
    returnsDeleted: true,
    statusKeeps: 'metadata',
    prepareStatusUpdate(next, previous) {
      keepAllButStatus(next, previous);
      dropReturnedDevices(next, previous);
    },
  },
};

/** What drivers say of devices goes with the devices (upstream: dropDeallocatedStatusDevices). */
function dropReturnedDevices(next: ApiObject, previous: ApiObject): void {
  const { status } = as<ResourceV1ResourceClaim>(next);
  if (!status?.devices) return;
  const given = new Set(resultsOf(next).map(deviceKey));
  const returned = new Set(resultsOf(previous).map(deviceKey)).difference(given);
  status.devices = status.devices.filter((device) => !returned.has(deviceKey(device)));
  if (status.devices.length === 0) delete status.devices;
}

const resultsOf = (claim: ApiObject): readonly DeviceRequestAllocationResult[] =>
  as<ResourceV1ResourceClaim>(claim).status?.allocation?.devices?.results ?? [];
