import type { CsiDrivers } from '../volumes/csi/csi-drivers.ts';
import type { CsiDriverReports } from './csi-driver-reports.ts';
import type { PlugInHandler } from './registration.ts';

/** Takes CSI drivers: asks each for its node, and tells the cluster of it. */
export function csiPlugIns(drivers: CsiDrivers, reports: CsiDriverReports): PlugInHandler {
  return {
    type: 'CSIPlugin',
    begin: (signal) => reports.begin(signal),
    async register({ name, endpoint, versions }, signal) {
      drivers.add(name, { endpoint, version: drivers.validate(name, versions) });
      try {
        await reports.tell(name, signal);
        reports.follow(name);
      } catch (error) {
        drivers.remove(name);
        await reports.withdraw(name, signal);
        throw error;
      }
    },
    async deregister({ name }, signal) {
      drivers.remove(name);
      await reports.withdraw(name, signal);
    },
  };
}
