import type { ClaimDrivers } from '../claims/claim-drivers.ts';
import type { PlugInHandler } from './registration.ts';

/** Takes drivers that prepare claims on devices. */
export function claimPlugIns(drivers: ClaimDrivers): PlugInHandler {
  return {
    type: 'DRAPlugin',
    async register({ name, endpoint, versions }) {
      drivers.add(name, endpoint, versions);
    },
    async deregister({ name, endpoint }) {
      drivers.remove(name, endpoint);
    },
  };
}
