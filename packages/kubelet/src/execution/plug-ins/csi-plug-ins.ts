import type { CsiDrivers } from '../volumes/csi/csi-drivers.ts';
import type { CsiDriverReports } from './csi-driver-reports.ts';
import type { PlugInHandler } from './registration.ts';

/** Takes CSI drivers: asks each for its node, and tells the cluster of it. One that can't say it changes nothing. */
export function csiPlugIns(drivers: CsiDrivers, reports: CsiDriverReports): PlugInHandler {
  /** The cluster knows what the driver of that name says, or nothing where there is none any more. */
  const settle = async (name: string, signal: AbortSignal) => {
    if (drivers.has(name)) await reports.retell(name);
    else await reports.withdraw(name, signal);
  };
  return {
    type: 'CSIPlugin',
    begin: (signal) => reports.begin(signal),
    async register({ name, endpoint, versions }, signal) {
      const driver = drivers.open(name, { endpoint, version: drivers.validate(name, versions) });
      try {
        await reports.tell(name, driver.node, signal);
        // Another one of the name may have come meanwhile.
        drivers.validate(name, versions);
      } catch (error) {
        driver.close();
        await settle(name, signal);
        throw error;
      }
      drivers.add(name, driver);
      reports.follow(name);
    },
    async deregister({ name, endpoint }, signal) {
      if (drivers.remove(name, endpoint)) await settle(name, signal);
    },
  };
}
