import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import {
  type ContainerEventResponse,
  type ContainerEventType,
  createCriServer,
  type Input,
} from '@wherry/cri';
import { ContainerHolder, createGroup, foldersAt } from '@wherry/linux';
import { MonitorClient } from '@wherry/monitor-api';
import { createLogger, type Logger } from '@wherry/telemetry';
import manifest from '../package.json' with { type: 'json' };
import { ContainerFactory } from './container/container-factory.ts';
import { ContainerService } from './container/container-service.ts';
import { ContainerStore } from './container/container-store.ts';
import { ImageVolumes } from './container/image-volumes.ts';
import { messageOf } from './errors.ts';
import { EventHub } from './events/event-hub.ts';
import { MonitorFollower } from './events/monitor-follower.ts';
import { ImageAdminServer } from './images/image-admin-server.ts';
import { ImageStore } from './images/image-store.ts';
import { BridgeNetwork } from './network/bridge.ts';
import { recoverContainers, recoverSandboxes } from './recovery.ts';
import type { RegistryMirrors } from './registry/endpoints.ts';
import { Puller } from './registry/puller.ts';
import { ProcessHolders } from './sandbox/process-holder.ts';
import type { Sandbox } from './sandbox/sandbox-record.ts';
import { SandboxService } from './sandbox/sandbox-service.ts';
import { SandboxStore } from './sandbox/sandbox-store.ts';
import { ExecService } from './service/exec-service.ts';
import { guardHandlers } from './service/guard.ts';
import { imageHandlers } from './service/image-handlers.ts';
import { toSandboxStatus } from './service/messages.ts';
import { runtimeHandlers, statusesOf } from './service/runtime-handlers.ts';
import type { CgroupDriver } from './spec/cgroup-path.ts';
import { probeAbilities } from './spec/machine.ts';
import { readBootId } from './state/id.ts';
import { NanosecondClock } from './state/wall-clock.ts';
import { StatsService } from './stats/stats-service.ts';

/** How a runtime is started. */
export interface RuntimeOptions {
  /** Folder for everything it keeps. */
  dataDir: string;
  /** CRI socket. Default `cri.sock` in the data folder. */
  socketPath?: string | undefined;
  /** Socket for {@link createImageClient}. Default `images.sock` beside the CRI socket. */
  adminSocketPath?: string | undefined;
  monitorSocketPath: string;
  /** Name of the pods' bridge, at most 15 characters. Default: made from the data folder's path. */
  bridgeName?: string | undefined;
  /** Range of the pods' addresses. Default 10.88.0.0/16. */
  podCidr?: string | undefined;
  /** Parent cgroup of pods that name none. Default: `/` and the bridge's name. */
  cgroupRoot?: string | undefined;
  /** Default cgroupfs. */
  cgroupDriver?: CgroupDriver | undefined;
  /** Program to ask about mount features; the monitor runs its own. Default runc. */
  ociRuntime?: string | undefined;
  /** Mirrors by domain, asked before the registry itself. */
  registryMirrors?: RegistryMirrors | undefined;
  logger?: Logger | undefined;
}

/** A running runtime. */
export interface Runtime {
  readonly socketPath: string;
  readonly adminSocketPath: string;
  readonly bridgeName: string;
  /** Stops serving. Containers, networks and mounts stay; a runtime started on the same folder takes them up. */
  close(): Promise<void>;
}

const defaultPodCidr = '10.88.0.0/16';
const firstListPatienceMs = 3_000;
const aliveMs = 1_000;

/** A bridge name of its own for each data folder, so that several nodes live on one machine. */
export const bridgeNameFor = (dataDir: string): string =>
  `wherry${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}`;

/** Starts a CRI runtime; it serves when the promise resolves. Rejects when its folder or sockets cannot be used. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { dataDir } = options;
  const logger = options.logger ?? createLogger('runtime');
  const bridgeName = options.bridgeName ?? bridgeNameFor(dataDir);
  const cgroupRoot = options.cgroupRoot ?? `/${bridgeName}`;
  const cgroupDriver = options.cgroupDriver ?? 'cgroupfs';
  const socketPath = options.socketPath ?? join(dataDir, 'cri.sock');
  const adminSocketPath = options.adminSocketPath ?? socketPath.replace(/[^/]*$/, 'images.sock');
  await mkdir(dataDir, { recursive: true, mode: 0o711 });

  const clock = systemClock;
  const nanoseconds = new NanosecondClock(clock);
  const machine = await probeAbilities(options.ociRuntime ?? 'runc');
  createGroup(foldersAt(machine.layout, cgroupRoot));
  const images = new ImageStore({ root: join(dataDir, 'images'), clock, logger });
  await images.open();

  const holder = new ContainerHolder();
  const monitor = new MonitorClient({ socketPath: options.monitorSocketPath, holder });
  const sandboxStore = new SandboxStore(join(dataDir, 'sandboxes'));
  const containerStore = new ContainerStore(join(dataDir, 'containers'));
  images.holdLayers(() => containerStore.layersInUse());
  const imageVolumes = new ImageVolumes(images);
  const network = new BridgeNetwork({
    bridgeName,
    podCidr: options.podCidr ?? defaultPodCidr,
    clock,
    logger,
  });
  const holders = new ProcessHolders(join(dataDir, 'pause'), monitor);
  const stats = new StatsService({
    containers: containerStore,
    sandboxes: sandboxStore,
    layout: machine.layout,
    clock,
    nanoseconds,
  });

  const events = new EventHub<Input<ContainerEventResponse>>();
  const publish = (sandbox: Sandbox | undefined, id: string, type: ContainerEventType) => {
    if (!sandbox || !events.hasReaders) return;
    events.publish({
      containerId: id,
      containerEventType: type,
      createdAt: nanoseconds.now(),
      podSandboxStatus: toSandboxStatus(sandbox),
      containersStatuses: statusesOf(containerStore.ofSandbox(sandbox.id), images),
    });
  };

  const factory = new ContainerFactory({
    store: containerStore,
    sandboxes: sandboxStore,
    images,
    imageVolumes,
    machine,
    cgroupDriver,
    cgroupRoot,
  });
  const containers = new ContainerService({
    store: containerStore,
    sandboxes: sandboxStore,
    factory,
    monitor,
    machine,
    clock: nanoseconds,
    logger,
    onEvent: ({ id, sandboxId }, type) => publish(sandboxStore.get(sandboxId), id, type),
    onRemoved: (id) => stats.forget(id),
  });
  const bootId = readBootId();
  const sandboxes = new SandboxService({
    store: sandboxStore,
    network,
    holders,
    clock: nanoseconds,
    logger,
    bootId,
    cgroupDriver,
    cgroupRoot,
    containers,
    releaseMounts: (folder) => imageVolumes.release(folder),
    onEvent: (sandbox, type) => publish(sandbox, sandbox.id, type),
  });

  const orphans = await recoverSandboxes({ store: sandboxStore, network, bootId, logger });
  const lost = recoverContainers({ store: containerStore, sandboxes: sandboxStore, logger });
  const follower = new MonitorFollower({
    monitor,
    containers,
    store: containerStore,
    sandboxes: sandboxStore,
    logger,
  });
  await follower.start(firstListPatienceMs);
  const clearing = clearOrphans({ orphans, lost, sandboxes, containers, logger });

  const puller = new Puller({ images, mirrors: options.registryMirrors ?? {}, logger });
  const server = createCriServer({
    runtime: guardHandlers(
      runtimeHandlers({
        sandboxes,
        sandboxStore,
        containers,
        containerStore,
        images,
        exec: new ExecService({ monitor, containers: containerStore, sandboxes: sandboxStore }),
        stats,
        network,
        monitor,
        machine,
        cgroupDriver,
        clock: nanoseconds,
        events,
        version: manifest.version,
        info: () => ({
          config: JSON.stringify({ dataDir, bridgeName, cgroupRoot, cgroupDriver, stateDir: dataDir }),
        }),
      }),
      logger,
    ),
    images: guardHandlers(
      imageHandlers({ images, clock, pull: (name, auth, signal) => puller.pull(name, auth, signal) }),
      logger,
    ),
  });
  const admin = new ImageAdminServer(images);
  await admin.listen(adminSocketPath);
  await server.listen(socketPath);
  logger.info('the runtime serves', {
    socket: socketPath,
    bridge: bridgeName,
    images: images.catalog.list().length,
  });
  return {
    socketPath,
    adminSocketPath,
    bridgeName,
    async close() {
      // What is awaited below may hang on timers that keep no process alive.
      const alive = setInterval(() => {}, aliveMs);
      await Promise.all([server.close(), admin.close()]);
      await follower.close();
      await clearing;
      await monitor.close();
      holder.close();
      await images.close();
      network.close();
      clearInterval(alive);
    },
  };
}

async function clearOrphans(options: {
  orphans: string[];
  lost: string[];
  sandboxes: SandboxService;
  containers: ContainerService;
  logger: Logger;
}): Promise<void> {
  const { orphans, lost, sandboxes, containers, logger } = options;
  const clear = (id: string, work: Promise<void>) =>
    work.catch((error) => logger.warn('what a crash left was not cleared', { id, error: messageOf(error) }));
  for (const id of lost) await clear(id, containers.discard(id));
  for (const id of orphans) await clear(id, sandboxes.discard(id));
}
