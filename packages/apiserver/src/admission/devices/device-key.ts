import type { AllocatedDeviceStatus, DeviceRequestAllocationResult } from '@wherry/kubeapi';

/** Which device, or share of one, in a text that no other has. */
export const deviceKey = ({
  driver,
  pool,
  device,
  shareID = '',
}: DeviceRequestAllocationResult | AllocatedDeviceStatus): string =>
  JSON.stringify([driver, pool, device, shareID]);
