import { isPodReady } from '@wherry/podrules';
import type { Counter } from '@wherry/telemetry';
import type { PodBoard } from '../board/pod-board.ts';
import { FailureBackoff } from '../ground/failure-backoff.ts';
import { defaultBuckets } from '../ground/measured-runtime.ts';
import { swapRules } from '../ground/node-capacity.ts';
import { ResourceRecords } from '../ground/resource-records.ts';
import { crashBackoff } from '../limits.ts';
import { LogRotator } from '../logs/log-rotator.ts';
import { amountOf } from '../pod/amount.ts';
import type { AssignedPod } from '../pod/assigned-pod.ts';
import { nodeEvents, podEvents } from '../reporting/events/recorder.ts';
import { assembleSteps } from './assemble-steps.ts';
import { PodCgroups, type PodCgroupsOptions } from './cgroups/pod-cgroups.ts';
import { LogLinks } from './container/log-links.ts';
import { DiskMeter } from './eviction/disk-meter.ts';
import { Evictor } from './eviction/evictor.ts';
import { PodMeter } from './eviction/pod-meter.ts';
import { assembleImages } from './images/assemble.ts';
import { ImageCollector } from './images/image-collector.ts';
import { wantedImages } from './images/wanted-images.ts';
import { PodInputs } from './inputs/pod-inputs.ts';
import { assembleManagers, type Managers } from './managers/assemble.ts';
import { assembleNodeShutdown } from './node-shutdown/assemble.ts';
import type { ShutdownWatch } from './node-shutdown/shutdown-watch.ts';
import { assemblePlugIns } from './plug-ins/assemble.ts';
import type { PlugInWatcher } from './plug-ins/plug-in-watcher.ts';
import { ProbeManager } from './probes/probe-manager.ts';
import type { RoomsBelow } from './rooms-below.ts';
import { subordinateIds } from './sandbox/subordinate-ids.ts';
import { UserRanges } from './sandbox/user-ranges.ts';
import { GarbageCollector } from './upkeep/garbage-collector.ts';
import { ProcessGatherer } from './upkeep/process-gatherer.ts';
import { Upkeep } from './upkeep/upkeep.ts';
import type { CsiVolumes } from './volumes/csi/csi-volumes.ts';
import type { MemoryPlace } from './volumes/memory-folder.ts';
import { NfsMounts } from './volumes/nfs/nfs-mounts.ts';
import { volumePlugins } from './volumes/plugins/index.ts';
import { VolumeManager } from './volumes/volume-manager.ts';
import { VolumeTimes } from './volumes/volume-times.ts';
import { measuredSteps } from './workers/measured-steps.ts';
import { PodWorkers } from './workers/pod-workers.ts';
import { tracedSteps } from './workers/traced-steps.ts';

/** What makes pods what they should be. */
export interface Execution {
  workers: PodWorkers;
  probes: ProbeManager;
  upkeep: Upkeep;
  /** Keeps the files of logs within their bounds. */
  rotator: LogRotator;
  /** Removes images that nothing uses. */
  imageCollector: ImageCollector;
  inputs: PodInputs;
  /** Ends pods before the node runs out. */
  evictor: Evictor;
  cgroups: PodCgroups;
  /** What pods were made with. */
  actuated: ResourceRecords;
  volumes: VolumeManager;
  /** What pods take of the node's disk. */
  disk: DiskMeter;
  csi: CsiVolumes;
  /** Makes shutdowns of the machine wait for pods, where the configuration asks for it. */
  shutdownWatch: ShutdownWatch | undefined;
  /** Keeps the machine's processes in the group of `systemCgroups`, where that is named. */
  gatherer: ProcessGatherer | undefined;
  /** Takes in what registers in the node's folder of plug-ins. */
  plugIns: PlugInWatcher;
  /** What gives pods devices, processors and memory. */
  managers: Managers;
}

/** Builds it; no pod is touched yet. */
export function assembleExecution(rooms: RoomsBelow): Execution {
  const { ground, board, observation, reporting } = rooms;
  const { clock, logger, cri, paths, configuration, nodeName } = ground;
  const { runtime } = cri;
  const { recorder } = reporting;
  const { cache } = observation;
  const inputs = podInputs(rooms);
  const probes = probeManager(rooms);
  const managers = assembleManagers(rooms);
  const times = new VolumeTimes(ground.metrics, clock);
  const { csi, plugIns } = assemblePlugIns(rooms, managers, times);
  const volumes = volumeManager(rooms, inputs, { csi, times });
  const cgroups = podCgroups(rooms, managers);
  const { images, records: pullRecords } = assembleImages(rooms, inputs.accounts);
  const maxMs = configuration.crashLoopBackOff.maxContainerRestartPeriod;
  const initialMs = Math.min(crashBackoff.initialMs, maxMs);
  const backoff = new FailureBackoff(clock, { ...crashBackoff, initialMs, maxMs });
  const links = new LogLinks({ paths, logger });
  const actuated = new ResourceRecords(paths.actuatedFile, logger);
  const { userNamespaces, maxPods } = configuration;
  const ids = subordinateIds({ idsPerPod: userNamespaces.idsPerPod, maxPods });
  const userRanges = new UserRanges({ paths, ids });
  const workers = new PodWorkers({
    recorder: reporting.recorder,
    steps: tracedSteps({
      steps: measuredSteps({
        steps: assembleSteps(rooms, {
          ...{ inputs, probes, volumes, cgroups, images, backoff, links, actuated, userRanges },
          managers,
        }),
        clock,
        metrics: ground.metrics,
        phaseOf: (uid) => reporting.statuses.get(uid)?.phase,
      }),
      tracer: ground.tracer,
      isReady(uid) {
        const status = reporting.statuses.get(uid);
        return status !== undefined && isPodReady({ status });
      },
    }),
    phases: board.phases,
    clock,
    logger,
    onFinished: (pod) => board.signals.podFinished(pod),
    returned: returnedPods(ground),
  });
  const collector = new GarbageCollector({
    runtime,
    podLogsDir: paths.podLogsDir,
    links,
    clock,
    logger,
  });
  const isLive = (uid: string) => observation.lifecycle.isLive(uid);
  const isEvicted = (uid: string) =>
    board.phases.of(uid) === 'finished' && evictedReasons.has(reporting.statuses.get(uid)?.reason);
  const upkeep = new Upkeep({
    clock,
    cache,
    volumes,
    cgroups,
    images,
    backoff,
    collector,
    isLive,
    isEvicted,
    records: [board.allocations, actuated, userRanges, managers.claims.manager],
    csi,
    logger,
    recorder: reporting.recorder,
    nodeName: ground.nodeName,
    metrics: ground.metrics,
  });
  board.signals.listen(upkeep);
  const rotator = new LogRotator({ ground });
  const imageCollector = new ImageCollector({
    cri,
    configuration,
    nodeName,
    clock,
    logger,
    recorder,
    wantedImages: () => wantedImages(board.store.pods),
    onListed: (listed, askedMs) => pullRecords.listed(listed, askedMs),
    removed: ground.metrics.counter(
      'kubelet_image_garbage_collected_total',
      'Unused images that were removed, by whether for their age or for the space.',
    ),
  });
  const group = configuration.systemCgroups;
  const gatherer = group === '' ? undefined : new ProcessGatherer({ group, clock, logger });
  const disk = new DiskMeter({ volumes, paths, clock });
  const evictor = assembleEvictor(rooms, { workers, disk, collector, imageCollector, isEvicted });
  const shutdownWatch = assembleNodeShutdown(rooms, { workers, activePods: () => activePods(board) });
  return {
    ...{ workers, probes, upkeep, rotator, imageCollector, inputs, evictor, cgroups, volumes, disk },
    ...{ csi, plugIns, managers, shutdownWatch, actuated, gatherer },
  };
}

/** Pods that came back under the UID of one that had not ended: both series are there from the start, as upstream. */
function returnedPods({ metrics }: RoomsBelow['ground']): Counter {
  const returned = metrics.counter(
    'kubelet_restarted_pods_total',
    'Pods that came back under the UID of one that had not ended, by whether they are static.',
  );
  for (const value of ['true', '']) returned.add(0, { static: value });
  return returned;
}

/** Reasons of pods that went for the node's sake (pkg/kubelet/pod_workers.go, ShouldPodContentBeRemoved). */
const evictedReasons: ReadonlySet<string | undefined> = new Set(['Evicted', 'Preempting']);

interface EvictionParts {
  workers: PodWorkers;
  disk: DiskMeter;
  collector: GarbageCollector;
  imageCollector: ImageCollector;
  isEvicted(uid: string): boolean;
}

function assembleEvictor(
  { ground, board, observation, reporting }: RoomsBelow,
  parts: EvictionParts,
): Evictor {
  const { clock, logger, cri, paths, configuration, nodeName, metrics } = ground;
  const { store, phases, allocations } = board;
  const { workers, disk, collector, imageCollector, isEvicted } = parts;
  const hasEnded = (uid: string) => ['terminated', 'finished'].includes(phases.of(uid) ?? '');
  return new Evictor({
    signals: observation.nodeSignals,
    pressure: observation.pressure,
    meter: new PodMeter({ runtime: cri.runtime, disk, paths }),
    clock,
    logger,
    recorder: reporting.recorder,
    nodeName,
    evictions: metrics.counter('kubelet_evictions', 'Cumulative number of pod evictions by eviction signal'),
    ages: metrics.histogram(
      'kubelet_eviction_stats_age_seconds',
      'Seconds from when the node was measured until pods were ranked by it, by what is short.',
      defaultBuckets,
    ),
    limitsStorage: configuration.localStorageCapacityIsolation,
    maxGraceSeconds: configuration.evictionMaxPodGracePeriod,
    activePods: () =>
      [...store.pods]
        .filter(({ metadata }) => phases.of(metadata.uid) === 'syncing')
        .map((pod) => allocations.given(pod)),
    kill: (uid, reason) => workers.kill(uid, reason),
    isGone: (uid) => (phases.of(uid) ?? 'finished') === 'finished',
    async freeDisk() {
      await collector.collect(
        (uid) => !hasEnded(uid),
        (uid) => !isEvicted(uid),
      );
      await imageCollector.removeUnused();
    },
    onPressureChanged: () => reporting.agent.conditionsChanged(),
  });
}

function podInputs({ ground, board, observation, reporting }: RoomsBelow): PodInputs {
  const { client, clock, addresses } = ground;
  return new PodInputs({
    client,
    clock,
    recorder: reporting.recorder,
    hostIps: () => addresses.ips,
    allocatable: () => ground.allocatable,
    record: (uid) => observation.cache.peek(uid),
    onChanged: (uid) => board.signals.objectChanged(uid),
  });
}

function probeManager({ ground, board, observation, reporting }: RoomsBelow): ProbeManager {
  const { cri, clock, addresses } = ground;
  return new ProbeManager({
    runtime: cri.runtime,
    clock,
    recorder: reporting.recorder,
    hostIp: () => addresses.ips[0] ?? '',
    record: (uid) => observation.cache.peek(uid),
    apiStatus: (pod) => (board.store.apiPod(pod) ?? pod).status,
    onTold: (uid, probed) => reporting.statuses.setProbed(uid, probed),
    onChanged: (uid) => board.signals.probeTurned(uid),
  });
}

function volumeManager(
  { ground, reporting }: RoomsBelow,
  inputs: PodInputs,
  { csi, times }: { csi: CsiVolumes; times: VolumeTimes },
): VolumeManager {
  const { paths, clock, nodeName, traits } = ground;
  const { recorder } = reporting;
  let hasWarnedOfDisk = false;
  const notedMemory = (place: MemoryPlace) => {
    if (hasWarnedOfDisk || place === 'memory' || (place === 'swappable' && !traits.hasSwap)) return;
    hasWarnedOfDisk = true;
    const message =
      place === 'disk'
        ? 'memory-backed volumes are kept on disk: this kubelet may not mount tmpfs'
        : 'memory-backed volumes, secrets among them, might be swapped to disk: this kernel has no tmpfs without swap';
    nodeEvents(recorder, nodeName).warn('PossibleMemoryBackedVolumesOnDisk', message);
  };
  return new VolumeManager({
    plugins: volumePlugins,
    times,
    paths,
    clock,
    recorder,
    host: {
      memoryBytes: () => amountOf(ground.allocatable['memory'] ?? '0'),
      notedMemory,
      clock,
      warn: (pod, reason, message) => podEvents(recorder, pod).warn(reason, message),
      csi,
      nfs: new NfsMounts({ clock }),
    },
    sources: (pod, signal) => inputs.payloadSources(pod, signal),
  });
}

/** Pods that run, are about to, or still stop. */
function activePods({ store, phases, allocations }: PodBoard): AssignedPod[] {
  return [...store.pods]
    .filter(({ metadata: { uid } }) => {
      const phase = phases.of(uid);
      return phase === 'syncing' || phase === 'terminating';
    })
    .map((pod) => allocations.given(pod));
}

function podCgroups({ ground, board, reporting }: RoomsBelow, { joined }: Managers): PodCgroups {
  const { configuration, forAllPods, groups, logger, nodeName } = ground;
  return new PodCgroups({
    place: groups,
    cpuQuotaEnabled: configuration.cpuCFSQuota,
    hasOwnCpus: (pod) => joined.hasOwnCpus(pod),
    cpuPeriodMs: configuration.cpuCFSQuotaPeriod,
    podPidsLimit: configuration.podPidsLimit,
    hugePageSizes: ground.machine.hugePages.map(({ sizeBytes }) => sizeBytes),
    forAllPods,
    swap: swapRules(ground),
    logger,
    recorder: reporting.recorder,
    nodeName,
    activePods: () => activePods(board),
    ...cgroupTimes(ground),
  });
}

function cgroupTimes({
  clock,
  metrics,
}: RoomsBelow['ground']): Pick<PodCgroupsOptions, 'clock' | 'duration'> {
  const duration = metrics.histogram(
    'kubelet_cgroup_manager_duration_seconds',
    'Seconds that it took to make, change and remove control groups of pods.',
    defaultBuckets,
  );
  return { clock, duration };
}
