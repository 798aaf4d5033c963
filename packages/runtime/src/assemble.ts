import { join } from 'node:path';
import { ContainerEventType } from '@wherry/cri';
import { ImageStore, Puller, Pusher, RegistryConfig, Transports } from '@wherry/images';
import { Systemd } from '@wherry/linux';
import { MonitorClient } from '@wherry/monitor-api';
import manifest from '../package.json' with { type: 'json' };
import { AppArmorProfiles } from './apparmor/apparmor-profiles.ts';
import { DeviceFolders } from './cdi/device-folders.ts';
import { CheckpointSources } from './checkpoint/checkpoint-source.ts';
import { CniNetwork } from './cni/cni-network.ts';
import { Certainty } from './container/certainty.ts';
import { ContainerFactory } from './container/container-factory.ts';
import { ContainerService } from './container/container-service.ts';
import { ContainerStore } from './container/container-store.ts';
import { ContainerTracker } from './container/container-tracker.ts';
import { ContainerUpdater } from './container/container-updater.ts';
import { MonitorFollower } from './container/monitor-follower.ts';
import { ScopeBounds } from './container/scope-bounds.ts';
import { BridgeNetwork } from './network/bridge.ts';
import type { PodNetwork } from './network/pod-network.ts';
import { PodRange } from './network/pod-range.ts';
import { Nri } from './nri/lifecycle.ts';
import type { RuntimeSettings } from './runtime-options.ts';
import { ProcessHolders } from './sandbox/process-holder.ts';
import { sandboxFiles } from './sandbox/sandbox-files.ts';
import { SandboxService } from './sandbox/sandbox-service.ts';
import { SandboxStore } from './sandbox/sandbox-store.ts';
import { CheckpointService } from './service/checkpoint/checkpoint-service.ts';
import { ExecService } from './service/exec-service.ts';
import { PodEvents } from './service/pod-events.ts';
import type { MachineAbilities } from './spec/machine.ts';
import { NanosecondClock } from './state/nanosecond-clock.ts';
import { StatsService } from './stats/stats-service.ts';
import { HostPaths } from './volumes/host-paths.ts';
import { ImageVolumes } from './volumes/image-volumes.ts';
import { Stage } from './volumes/stage.ts';

/** Every part of a runtime, connected. */
export type RuntimeParts = ReturnType<typeof assemble>;

/** Makes the parts and connects them; nothing is read, opened or started yet. */
export function assemble(settings: RuntimeSettings, machine: MachineAbilities, bootId: string) {
  const { dataDir, logger, cgroupDriver, cgroupRoot, bridgeName, podCidr, peerBridges, blockedCidrs } =
    settings;
  const clock = new NanosecondClock(settings.clock);
  const monitor = new MonitorClient({ socketPath: settings.monitorSocketPath, clock });
  const images = new ImageStore({
    root: join(dataDir, 'images'),
    clock,
    logger,
    discardsPackedLayers: settings.discardsPackedLayers,
  });
  const sandboxStore = new SandboxStore(join(dataDir, 'sandboxes'));
  const registries = new RegistryConfig(settings.registryConfig);
  const store = new ContainerStore(join(dataDir, 'containers'));

  const registryParts = { images, hosts: registries, transports: new Transports({ clock }), clock, logger };
  const imageVolumes = new ImageVolumes(images);
  const stage = new Stage(settings.stageDir);
  const hostPaths = new HostPaths({ clock });
  const range = new PodRange({ given: podCidr, file: join(dataDir, 'pod-cidr') });
  const network: PodNetwork = settings.cni
    ? new CniNetwork({
        confDir: settings.cni.confDir,
        binDirs: settings.cni.binDirs ?? ['/opt/cni/bin'],
        timeoutMs: settings.cni.pluginTimeoutMs,
        cacheRoot: join(dataDir, 'cni'),
        namespacePath: (id) => sandboxStore.folder.path(id, sandboxFiles.namespaces, 'net'),
        ...{ range, monitor, clock, logger },
      })
    : new BridgeNetwork({
        bridgeName,
        range,
        mtu: settings.podMtu,
        peerBridges,
        blockedCidrs,
        clock,
        logger,
      });
  const events = new PodEvents({ sandboxes: sandboxStore, containers: store, images, clock });
  const stats = new StatsService({
    containers: store,
    sandboxes: sandboxStore,
    layout: machine.layout,
    cgroupDriver,
    clock,
  });

  const devices = new DeviceFolders(settings.cdiSpecDirs);
  const nri = new Nri({
    containers: store,
    sandboxes: sandboxStore,
    ...{ devices, machine, cgroupDriver, logger },
    clock: settings.clock,
    times: settings.nriTimes,
    runtimeVersion: manifest.version,
    update: (id, change) => updater.apply(id, change),
    evict: (id) => containers.stop(id, 0),
  });
  const profiles = new AppArmorProfiles({ clock, logger });
  const factory = new ContainerFactory({
    store,
    sandboxes: sandboxStore,
    images,
    imageVolumes,
    hostPaths,
    devices,
    stage,
    machine,
    profiles,
    cgroupDriver,
    cgroupRoot,
  });
  images.holdLayers(() => store.layersInUse());
  const onEvent: PodEvents['container'] = (container, type) => {
    events.container(container, type);
    if (type === ContainerEventType.CONTAINER_STOPPED_EVENT && !nri.isIdle) void nri.stopped(container);
  };
  const tracker = new ContainerTracker({ store, monitor, stage, clock, logger, onEvent });
  const certainty: Certainty = new Certainty(() => follower.isInStep);
  const systemd = new Systemd({ clock: settings.clock });
  const scopeBounds = new ScopeBounds({ systemd, layout: machine.layout, logger });
  const updater = new ContainerUpdater({ store, monitor, machine, lifecycle: nri, scopeBounds });
  const ociRuntimes = { runtimeHandlers: machine.runtimeHandlers, ociRuntime: settings.ociRuntime };
  const containers: ContainerService = new ContainerService({
    store,
    sandboxes: sandboxStore,
    factory,
    checkpoints: new CheckpointSources({ images, restoresImages: settings.restoresCheckpointImages }),
    tracker,
    monitor,
    clock,
    lifecycle: nri,
    ociRuntimes,
    scopeBounds,
    onEvent,
    onRemoved: (id) => stats.forget(id),
    onStartUnanswered: (id) => certainty.startUnanswered(id),
  });
  const sandboxes = new SandboxService({
    store: sandboxStore,
    network,
    holders: new ProcessHolders(join(dataDir, 'pause'), { monitor, stage }),
    clock,
    lifecycle: nri,
    logger,
    bootId,
    cgroupDriver,
    cgroupRoot,
    userNamespaceProblem: machine.userNamespaceProblem,
    ociRuntimes,
    containers,
    releaseMounts: (folder) => imageVolumes.release(folder),
    endSessions: (sandboxId) => monitor.call('stream.endForwards', { sandboxId }),
    onEvent: (sandbox, type) => events.sandbox(sandbox, type),
  });
  const follower: MonitorFollower = new MonitorFollower({
    monitor,
    clock,
    tracker,
    store,
    sandboxes: sandboxStore,
    onListed: () => certainty.monitorTold(),
    onHolderLost: (sandboxId) => sandboxes.holderLost(sandboxId),
    logger,
  });
  return {
    settings,
    tracker,
    machine,
    clock,
    monitor,
    images,
    hostPaths,
    sandboxStore,
    containerStore: store,
    network,
    events,
    stats,
    containers,
    sandboxes,
    updater,
    checkpoints: new CheckpointService({
      ...{ containers: store, sandboxes: sandboxStore },
      ...{ images, monitor, ociRuntimes, clock },
    }),
    systemd,
    nri,
    profiles,
    exec: new ExecService({ monitor, containers: store, sandboxes: sandboxStore }),
    puller: new Puller(registryParts),
    pusher: new Pusher(registryParts),
    registries,
    follower,
    certainty,
  };
}
