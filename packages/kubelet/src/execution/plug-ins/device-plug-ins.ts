import type { DeviceManager } from '../devices/device-manager.ts';
import { requireResource, requireVersion } from '../devices/requirements.ts';
import type { PlugInHandler } from './registration.ts';

/** Takes device plug-ins that register as CSI drivers do. */
export function devicePlugIns(manager: DeviceManager): PlugInHandler {
  return {
    type: 'DevicePlugin',
    async register({ name, endpoint, versions }, signal) {
      requireVersion(versions);
      requireResource(name);
      await manager.sources.connect(name, endpoint, signal);
    },
    async deregister({ name, endpoint }) {
      manager.sources.disconnect(name, endpoint);
    },
  };
}
