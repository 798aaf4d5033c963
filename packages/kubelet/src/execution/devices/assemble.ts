import type { RoomsBelow } from '../rooms-below.ts';
import type { MemoryNodes } from '../topology/memory-nodes.ts';
import type { Turns } from '../topology/turns.ts';
import { DeviceManager } from './device-manager.ts';
import { DeviceRegistry } from './device-registry.ts';

/** The devices of the node that plug-ins bring, and where those register. */
export interface Devices {
  manager: DeviceManager;
  registry: DeviceRegistry;
}

const allocationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Builds them; nothing listens yet. */
export function assembleDevices(
  { ground, board, reporting }: RoomsBelow,
  shared: { nodes: MemoryNodes; turns: Turns },
): Devices {
  const { clock, logger, metrics, paths } = ground;
  const { signals } = board;
  const folder = paths.devicePlugInsDir;
  const manager = new DeviceManager({
    ...{ folder, clock, logger, ...shared },
    durations: metrics.histogram(
      'kubelet_device_plugin_alloc_duration_seconds',
      'Seconds that it took to choose devices and to ask their plug-in for them, by resource.',
      allocationBuckets,
    ),
    onChanged: () => reporting.agent.conditionsChanged(),
    onPodChanged: (uid) => signals.objectChanged(uid),
  });
  reporting.agent.devices = () => manager.capacity;
  const registrations = metrics.counter(
    'kubelet_device_plugin_registration_total',
    'Registrations of device plug-ins, by resource.',
  );
  return { manager, registry: new DeviceRegistry({ folder, manager, registrations, logger }) };
}
