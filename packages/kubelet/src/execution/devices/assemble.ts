import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { RoomsBelow } from '../rooms-below.ts';
import { DeviceManager } from './device-manager.ts';
import { DeviceRegistry } from './device-registry.ts';
import { PodResourcesServer } from './pod-resources.ts';

/** The devices of the node that plug-ins bring, and the two sockets of theirs. */
export interface Devices {
  manager: DeviceManager;
  registry: DeviceRegistry;
  podResources: PodResourcesServer;
}

const allocationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Builds them; nothing listens yet. */
export function assembleDevices({ ground, board, reporting }: RoomsBelow): Devices {
  const { clock, logger, metrics, paths } = ground;
  const { store, phases, signals } = board;
  const isActive = (uid: string) => {
    const phase = phases.of(uid);
    if (phase === undefined) return store.get(uid) !== undefined;
    return phase === 'syncing' || phase === 'terminating';
  };
  const folder = paths.devicePlugInsDir;
  const manager = new DeviceManager({
    ...{ folder, clock, logger, isActive },
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
  return {
    manager,
    registry: new DeviceRegistry({ folder, manager, registrations, logger }),
    podResources: new PodResourcesServer({
      ...{ socketPath: paths.podResourcesSocket, manager, clock, logger },
      requests: metrics.counter(
        'kubelet_pod_resources_endpoint_requests_total',
        'Calls of the pod-resources API, by method.',
      ),
      activePods: (): AssignedPod[] => [...store.pods].filter(({ metadata }) => isActive(metadata.uid)),
      find: (namespace, name) => store.find(namespace, name),
    }),
  };
}
