import { csiCallMs } from '../../limits.ts';
import { asked, type CsiDrivers } from '../volumes/csi/csi-drivers.ts';
import type { CsiNodeObject } from './csi-node-object.ts';
import type { PlugInHandler } from './registration.ts';

/** Takes CSI drivers: asks each for its node, and tells the cluster of it. */
export function csiPlugIns(drivers: CsiDrivers, object: CsiNodeObject | undefined): PlugInHandler {
  return {
    type: 'CSIPlugin',
    begin: async (signal) => object?.begin(signal),
    async register({ name, endpoint, versions }, signal) {
      drivers.add(name, { endpoint, version: drivers.validate(name, versions) });
      try {
        const node = drivers.node(name);
        const info = await asked(() => node.nodeGetInfo({}, { signal, timeoutMs: csiCallMs }));
        await object?.install(
          {
            name,
            nodeId: info.nodeId,
            volumesMax: info.maxVolumesPerNode,
            topology: info.accessibleTopology?.segments ?? {},
          },
          signal,
        );
      } catch (error) {
        drivers.remove(name);
        await object?.uninstall(name, signal);
        throw error;
      }
    },
    async deregister({ name }, signal) {
      drivers.remove(name);
      await object?.uninstall(name, signal);
    },
  };
}
