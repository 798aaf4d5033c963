import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, RateBucket } from '@wherry/clock';
import { CriError, createGrpcServer, type GrpcServer, type HandlersOf } from '@wherry/cri/grpc';
import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import type { Logger } from '@wherry/telemetry';
import {
  type ContainerDevices,
  type ContainerMemory,
  messages,
  type PodResources,
  type PodResourcesListerMethods,
  services,
} from '../../generated/pod-resources.ts';
import * as old from '../../generated/pod-resources-v1alpha1.ts';
import { podResourcesRate } from '../../limits.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { sorted } from '../../pod/cpu-set.ts';
import type { ClaimViews } from '../claims/claim-views.ts';
import type { CpuManager } from '../cpus/cpu-manager.ts';
import { idsOf } from '../devices/device-grants.ts';
import type { DeviceManager } from '../devices/device-manager.ts';
import type { MemoryManager } from '../memory/memory-manager.ts';
import type { MemoryBlock } from '../memory/memory-table.ts';
import type { PodResourcesFigures, PodResourcesMethod } from './pod-resources-figures.ts';

/** The protocol of who asks what pods have. */
export const podResourcesSchema = { package: 'v1', messages, services };

/** The version before: of each container the devices alone. Which of a message's fields it has not are left out. */
export const oldSchema = { package: 'v1alpha1', messages: old.messages, services: old.services };

/** What the server answers from. */
export interface PodResourcesOptions {
  socketPath: string;
  devices: Pick<DeviceManager, 'allocatable' | 'grantsOf'>;
  cpus: Pick<CpuManager, 'allocatable' | 'exclusiveOf'>;
  memory: Pick<MemoryManager, 'allocatable' | 'blocksOf'>;
  claims: Pick<ClaimViews, 'dynamicResourcesOf'>;
  clock: Clock;
  logger: Logger;
  figures: PodResourcesFigures;
  /** Pods that run, are about to, or still stop. */
  activePods(): readonly AssignedPod[];
  /** Those and the others that the kubelet knows. */
  allPods(): readonly AssignedPod[];
  /** Whether lists tell of active pods alone, but for v1alpha1's (gate KubeletPodResourcesListUseActivePods). */
  listsActive: boolean;
  find(namespace: string, name: string): AssignedPod | undefined;
}

/** Tells who watches devices, processors and memory which containers have them: the pod-resources API, on a socket of its own. */
export class PodResourcesServer {
  readonly #options: PodResourcesOptions;
  readonly #server: GrpcServer;
  readonly #bucket: RateBucket;

  constructor(options: PodResourcesOptions) {
    this.#options = options;
    this.#bucket = new RateBucket({ clock: options.clock, ...podResourcesRate });
    const handlers: HandlersOf<PodResourcesListerMethods> = {
      list: async () =>
        this.#counted('list', () => {
          const pods = options.listsActive ? options.activePods() : options.allPods();
          return { podResources: pods.map((pod) => this.#ofPod(pod)) };
        }),
      get: async ({ podName, podNamespace }) =>
        this.#counted('get', () => {
          const pod = options.find(podNamespace, podName);
          if (!pod) throw new Error(`pod ${podName} in namespace ${podNamespace} not found`);
          return { podResources: this.#ofPod(pod) };
        }),
      getAllocatableResources: async () =>
        this.#counted('get_allocatable', () => {
          const { devices, cpus, memory } = options;
          return {
            devices: devices.allocatable.flatMap(({ resource, id, nodes }) => entries(resource, id, nodes)),
            cpuIds: sorted(cpus.allocatable),
            memory: memory.allocatable.map(memoryEntry),
          };
        }),
    };
    const oldHandlers: HandlersOf<old.PodResourcesListerMethods> = {
      list: async () => {
        this.#limit();
        options.figures.askedOfOld();
        return { podResources: options.allPods().map((pod) => withoutSidecars(pod, this.#ofPod(pod))) };
      },
    };
    this.#server = createGrpcServer([
      { schema: podResourcesSchema, name: 'PodResourcesLister', handlers },
      { schema: oldSchema, name: 'PodResourcesLister', handlers: oldHandlers },
    ]);
  }

  /** Listens; where it can't, that is said. */
  async start(): Promise<void> {
    const { socketPath, logger } = this.#options;
    try {
      await mkdir(dirname(socketPath), { recursive: true, mode: 0o750 });
      await this.#server.listen(socketPath);
    } catch (error) {
      logger.warn('the pod-resources API can not be served', { socket: socketPath, error });
    }
  }

  close(): Promise<void> {
    return this.#server.close(0);
  }

  /** What comes too fast is refused before it counts. */
  #limit(): void {
    if (this.#bucket.take().waitMs > 0) throw new CriError('RESOURCE_EXHAUSTED', 'rejected by rate limit');
  }

  #counted<Answer>(method: PodResourcesMethod, answer: () => Answer): Answer {
    const { figures } = this.#options;
    this.#limit();
    figures.asked(method);
    try {
      return answer();
    } catch (error) {
      figures.failed(method);
      throw error;
    }
  }

  #ofPod(pod: AssignedPod): PodResources {
    const { metadata, spec } = pod;
    const { name, namespace, uid } = metadata;
    const { cpus, memory, claims } = this.#options;
    const containers = [...(spec.initContainers ?? []).filter(isSidecar), ...spec.containers];
    const ofContainer = (container: Container) => ({
      name: container.name,
      devices: this.#devicesOf(uid, container.name),
      cpuIds: sorted(cpus.exclusiveOf(uid, container.name) ?? []),
      memory: memory.blocksOf(uid, container.name).map(memoryEntry),
      dynamicResources: claims.dynamicResourcesOf(pod, container),
    });
    return { name, namespace, containers: containers.map(ofContainer) };
  }

  #devicesOf(uid: string, container: string): ContainerDevices[] {
    return this.#options.devices.grantsOf(uid, container).flatMap(({ resource, grant }) =>
      [...idsOf(grant)].flatMap((id) => {
        const near = [...grant.idsByNode].filter(([node, ids]) => node >= 0 && ids.includes(id));
        return entries(
          resource,
          id,
          near.map(([node]) => node),
        );
      }),
    );
  }
}

/** As the version before v1 tells of pods. */
function withoutSidecars({ spec }: AssignedPod, { containers, ...pod }: PodResources): PodResources {
  const names = new Set(spec.containers.map(({ name }) => name));
  return { ...pod, containers: containers.filter(({ name }) => names.has(name)) };
}

function memoryEntry({ type, sizeBytes, nodes }: MemoryBlock): ContainerMemory {
  return { memoryType: type, size: sizeBytes, topology: { nodes: nodes.map((id) => ({ id })) } };
}

/** One entry for each memory node that the device is near to, as upstream. */
function entries(resourceName: string, id: string, nodes: readonly number[]): ContainerDevices[] {
  const device = { resourceName, deviceIds: [id] };
  if (nodes.length === 0) return [device];
  return nodes.map((node) => ({ ...device, topology: { nodes: [{ id: node }] } }));
}
