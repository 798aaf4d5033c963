import type { AllocationStore } from '../board/allocations.ts';
import type { FailureBackoff } from '../ground/failure-backoff.ts';
import type { Ground } from '../ground/ground.ts';
import { swapRules } from '../ground/node-capacity.ts';
import type { PodCgroups } from './cgroups/pod-cgroups.ts';
import type { ResourceContext } from './cgroups/resources.ts';
import { ContainerKiller } from './container/container-killer.ts';
import { ContainerStarter } from './container/container-starter.ts';
import { hookFigures } from './container/hooks.ts';
import { imageVolumeFigures } from './container/image-volume-figures.ts';
import type { LogLinks } from './container/log-links.ts';
import { readMaskedPaths } from './container/masked-paths.ts';
import type { ImageManager } from './images/image-manager.ts';
import type { PodInputs } from './inputs/pod-inputs.ts';
import type { Managers } from './managers/assemble.ts';
import type { ProbeManager } from './probes/probe-manager.ts';
import { PodResizer, resizeBuckets } from './resize/pod-resizer.ts';
import type { RoomsBelow } from './rooms-below.ts';
import { RuntimeClasses } from './sandbox/runtime-classes.ts';
import type { UserRanges } from './sandbox/user-ranges.ts';
import { ContainerMounts } from './volumes/container-mounts.ts';
import type { VolumeManager } from './volumes/volume-manager.ts';
import { PodKiller } from './workers/pod-killer.ts';
import { PodStarter } from './workers/pod-starter.ts';
import { KubeletPodSteps } from './workers/pod-steps.ts';
import { WaitingReasons } from './workers/waiting-reasons.ts';

/** What the steps of a pod are taken with. */
export interface StepParts {
  inputs: PodInputs;
  probes: ProbeManager;
  volumes: VolumeManager;
  cgroups: PodCgroups;
  images: ImageManager;
  backoff: FailureBackoff;
  links: LogLinks;
  managers: Managers;
  userRanges: UserRanges;
  /** What pods were made with. */
  actuated: AllocationStore;
}

/** Builds the steps of every pod, and what starts and stops containers. */
export function assembleSteps(rooms: RoomsBelow, parts: StepParts): KubeletPodSteps {
  const { ground, board, observation, reporting } = rooms;
  const { clock, logger, client, cri, paths, addresses, configuration, metrics, tracer } = ground;
  const { runtime } = cri;
  const { recorder, statuses, starts, mirrors, agent } = reporting;
  const { inputs, probes, volumes, cgroups, images, backoff, links, managers, actuated } = parts;
  const { devices, claims, joined } = managers;
  const resources = resourceContext(ground, managers);
  const requestTimeoutMs = configuration.runtimeRequestTimeout;
  const hooks = hookFigures(metrics);
  const killer = new ContainerKiller({ runtime, clock, recorder, requestTimeoutMs, hooks });
  const podKiller = new PodKiller({ runtime, killer });
  const reasons = new WaitingReasons();
  const classes = new RuntimeClasses({ client, health: agent.health });
  const starter = new ContainerStarter({
    runtime,
    images,
    recorder,
    clock,
    backoff,
    killer,
    paths,
    mounts: new ContainerMounts({ paths, clusterDomain: configuration.clusterDomain, classes, clock }),
    resources,
    seccompDefault: configuration.seccompDefault,
    maskedPaths: readMaskedPaths(),
    inputs,
    links,
    hooks,
    imageVolumes: imageVolumeFigures(metrics),
    devices,
    claims: claims.views,
    managers: joined,
    actuated,
  });
  const resizer = new PodResizer({
    runtime,
    cgroups,
    resources,
    actuated,
    clock,
    duration: metrics.histogram(
      'kubelet_pod_resize_duration_milliseconds',
      'Milliseconds that it took to give a running pod other resources.',
      resizeBuckets,
    ),
  });
  return new KubeletPodSteps({
    runtime,
    clock,
    logger,
    tracer,
    recorder,
    cache: observation.cache,
    statuses,
    starts,
    probes,
    volumes,
    cgroups,
    starter: new PodStarter({
      runtime,
      recorder,
      starter,
      killer,
      podKiller,
      reasons,
      classes,
      resizer,
      claims: claims.manager,
      metrics,
    }),
    killer: podKiller,
    reasons,
    paths,
    dns: {
      clusterDns: configuration.clusterDNS,
      clusterDomain: configuration.clusterDomain,
      resolvConf: configuration.resolvConf,
      hostIps: addresses.ips,
    },
    resources,
    classes,
    userRanges: parts.userRanges,
    syncMs: configuration.syncFrequency,
    hostIps: () => addresses.ips,
    health: agent.health,
    inputs,
    allocations: board.allocations,
    resizes: board.resizes,
    actuated,
    mirrors,
    devices,
    claims,
  });
}

function resourceContext(ground: Ground, { joined }: Managers): ResourceContext {
  const { configuration, machine, traits } = ground;
  return {
    cpuQuotaEnabled: configuration.cpuCFSQuota,
    hasOwnCpus: (pod, container) => joined.hasOwnCpus(pod, container),
    cpuPeriodMs: configuration.cpuCFSQuotaPeriod,
    nodeMemoryBytes: machine.memoryBytes,
    hugePageSizes: machine.hugePages.map(({ sizeBytes }) => sizeBytes),
    swap: swapRules(ground),
    killsWholeContainer: traits.cgroupVersion === 'v2' && !configuration.singleProcessOOMKill,
  };
}
