import { kinds } from '@wherry/client';
import type { Node } from '@wherry/kubeapi';
import { isTerminalPhase } from '@wherry/podrules';
import { PodCgroups } from './cgroups/pod-cgroups.ts';
import type { EventRecorder } from './events/recorder.ts';
import type { Ground } from './ground.ts';
import { ImageManager } from './images/image-manager.ts';
import { canonicalImage } from './images/image-name.ts';
import { crashBackoff, garbageMs } from './limits.ts';
import type { NodeAgent } from './node-agent.ts';
import { LifecycleEvents } from './pleg/lifecycle-events.ts';
import { PodCache } from './pleg/pod-cache.ts';
import { amountOf } from './pod/amount.ts';
import { type AssignedPod, describePod, isStaticPod } from './pod/assigned-pod.ts';
import { containersOf } from './pod/containers.ts';
import { PodStore } from './pod/pod-store.ts';
import { PodEnvironment } from './pod-environment.ts';
import { KubeletPodSteps } from './pod-steps.ts';
import type { ProbeCounts } from './probes/probe-counts.ts';
import { ProbeManager } from './probes/probe-manager.ts';
import { ContainerKiller } from './runtime/container-killer.ts';
import { ContainerStarter } from './runtime/container-starter.ts';
import { FailureBackoff } from './runtime/failure-backoff.ts';
import { GarbageCollector, type IsKept } from './runtime/garbage-collector.ts';
import { PodInspector } from './runtime/inspect-pod.ts';
import { PodKiller } from './runtime/pod-killer.ts';
import { PodStarter } from './runtime/pod-starter.ts';
import type { ResourceContext } from './runtime/resources.ts';
import { WaitingReasons } from './runtime/waiting-reasons.ts';
import { MirrorPods } from './sources/mirror-pods.ts';
import { StatusManager } from './status/status-manager.ts';
import { SyncLoop } from './sync-loop.ts';
import { ContainerMounts } from './volumes/container-mounts.ts';
import { volumePlugins } from './volumes/plugins/index.ts';
import { VolumeManager } from './volumes/volume-manager.ts';
import { PodWorkers } from './workers/pod-workers.ts';

/** Everything that keeps pods as they should be, joined together. */
export class PodMachinery {
  readonly store = new PodStore();
  readonly cache: PodCache;
  readonly statuses: StatusManager;
  readonly workers: PodWorkers;
  readonly loop: SyncLoop;
  readonly lifecycle: LifecycleEvents;
  readonly environment: PodEnvironment;
  readonly mirrors: MirrorPods | undefined;
  readonly #ground: Ground;
  readonly #recorder: EventRecorder;
  readonly #probes: ProbeManager;
  readonly #volumes: VolumeManager;
  readonly #cgroups: PodCgroups;
  readonly #collector: GarbageCollector;
  readonly #images: ImageManager;
  readonly #backoff: FailureBackoff;
  #agent: NodeAgent | undefined;
  #collectedMs = Number.NEGATIVE_INFINITY;
  #hasWarnedOfDisk = false;

  constructor(ground: Ground, recorder: EventRecorder, sources: number) {
    this.#ground = ground;
    this.#recorder = recorder;
    const { client, clock, logger, cri, paths, hostIps, nodeName, configuration } = ground;
    const { runtime } = cri;
    const { podLogsDir } = paths;
    const inspector = new PodInspector({ runtime, clock, paths });
    this.cache = new PodCache({
      inspect: (uid, signal) => inspector.inspect(uid, signal),
      clock,
      isUnknownToRuntime: (uid) => this.lifecycle.hasListed && !this.lifecycle.snapshot.has(uid),
    });
    this.mirrors = client && new MirrorPods({ client, nodeName });
    this.statuses = new StatusManager({
      client,
      clock,
      logger,
      apiPod: (pod) => this.store.apiPod(pod),
      mayDelete: (uid) => this.workers.phaseOf(uid) === 'finished',
    });
    const allocatable = () => ground.allocatable;
    const record = (uid: string) => this.cache.peek(uid);
    const onChanged = (uid: string) => this.loop.podConcerned(uid);
    this.environment = new PodEnvironment({
      client,
      clock,
      recorder,
      hostIps,
      allocatable,
      record,
      onChanged,
    });
    const apiStatus = (pod: AssignedPod) => (this.store.apiPod(pod) ?? pod).status;
    const hostIp = hostIps[0] ?? '';
    this.#probes = new ProbeManager({
      runtime,
      clock,
      recorder,
      hostIp,
      record,
      apiStatus,
      onChanged,
    });
    this.#volumes = new VolumeManager({
      plugins: volumePlugins,
      paths,
      clock,
      recorder,
      ground: {
        memoryBytes: () => amountOf(allocatable()['memory'] ?? '0'),
        onDiskInstead: () => this.#warnOfDisk(),
      },
      sources: (pod, signal) => this.environment.payloadSources(pod, signal),
    });
    this.#cgroups = new PodCgroups({
      root: configuration.cgroupRoot || '/',
      driver: configuration.cgroupDriver,
      cpuQuotaEnabled: configuration.cpuCFSQuota,
      cpuPeriodMs: configuration.cpuCFSQuotaPeriod,
      podPidsLimit: configuration.podPidsLimit,
      forAllPods: ground.forAllPods,
      forbidsSwap: ground.traits.limitsSwap,
      logger,
      activePods: () => this.#activePods(),
    });
    this.#images = new ImageManager({
      images: cri.images,
      recorder,
      clock,
      serialize: configuration.serializeImagePulls,
      maxParallelPulls: configuration.maxParallelImagePulls ?? 0,
      rate: { perSecond: configuration.registryPullQPS, burst: configuration.registryBurst },
    });
    const maxMs = configuration.crashLoopBackOff.maxContainerRestartPeriod;
    const initialMs = Math.min(crashBackoff.initialMs, maxMs);
    this.#backoff = new FailureBackoff(clock, { ...crashBackoff, initialMs, maxMs });
    const steps = this.#steps();
    const onFinished = (pod: AssignedPod) => {
      this.#collectedMs = Number.NEGATIVE_INFINITY;
      this.loop.finished(pod);
    };
    this.workers = new PodWorkers({ steps, clock, logger, onFinished });
    this.#collector = new GarbageCollector({
      runtime,
      podLogsDir,
      clock,
      logger,
      onRemoved: (ids) => inspector.forget(ids),
    });
    this.loop = new SyncLoop({
      store: this.store,
      workers: this.workers,
      statuses: this.statuses,
      cache: this.cache,
      clock,
      logger,
      recorder,
      hostIps,
      sources,
      allowedUnsafeSysctls: configuration.allowedUnsafeSysctls,
      host: ground.host,
      pressures: () => this.#agent?.pressures ?? new Set(),
      allocatable,
      node: () => this.#agent?.node,
      removeMirror: (mirror) => this.#removeMirror(mirror),
      collectGarbage: (isKept) => this.#collectGarbage(isKept),
    });
    this.lifecycle = new LifecycleEvents({
      runtime,
      clock,
      logger,
      onPodChanged: (uid, changedAtMs) => this.loop.podChanged(uid, changedAtMs),
      onRelisted: (snapshot) => this.loop.stopUnknownPods(snapshot),
    });
  }

  /** Begins to keep house and to follow the runtime; resolves when it is known what runs already. */
  async start(agent: NodeAgent): Promise<void> {
    this.#agent = agent;
    this.loop.start();
    await this.lifecycle.start();
  }

  /** How often the pods' probes ran, for /metrics/probes. */
  get probeCounts(): ProbeCounts {
    return this.#probes.counts;
  }

  async close(): Promise<void> {
    this.lifecycle.close();
    this.loop.close();
    this.statuses.close();
    this.#probes.close();
    await this.environment.close();
  }

  /** The node object exists: static pods can be shown. */
  nodeRegistered(node: Node): void {
    this.mirrors?.setNodeUid(node.metadata.uid ?? '');
    for (const pod of this.store.pods) if (isStaticPod(pod)) this.#reconcileMirror(pod);
  }

  #steps(): KubeletPodSteps {
    const { clock, logger, cri, paths, hostIps, configuration, traits } = this.#ground;
    const { runtime } = cri;
    const recorder = this.#recorder;
    const resources: ResourceContext = {
      cpuQuotaEnabled: configuration.cpuCFSQuota,
      cpuPeriodMs: configuration.cpuCFSQuotaPeriod,
      nodeMemoryBytes: this.#ground.machine.memoryBytes,
      forbidsSwap: traits.limitsSwap,
      killsWholeContainer: traits.cgroupVersion === 'v2' && !configuration.singleProcessOOMKill,
    };
    const requestTimeoutMs = configuration.runtimeRequestTimeout;
    const killer = new ContainerKiller({ runtime, clock, recorder, requestTimeoutMs });
    const podKiller = new PodKiller({ runtime, clock, killer });
    const reasons = new WaitingReasons();
    const starter = new ContainerStarter({
      runtime,
      images: this.#images,
      recorder,
      clock,
      backoff: this.#backoff,
      killer,
      paths,
      mounts: new ContainerMounts({
        paths,
        clusterDomain: configuration.clusterDomain,
        supportsRecursiveReadOnly: (pod) => this.#supportsRecursiveReadOnly(pod),
      }),
      resources,
      seccompDefault: configuration.seccompDefault,
      environment: (pod, target, place) => this.environment.variables(pod, target, place),
    });
    const handlerOf = (pod: AssignedPod) => this.#runtimeHandler(pod);
    const podStarter = new PodStarter({ runtime, recorder, starter, killer, podKiller, reasons, handlerOf });
    return new KubeletPodSteps({
      runtime,
      clock,
      logger,
      recorder,
      cache: this.cache,
      statuses: this.statuses,
      probes: this.#probes,
      volumes: this.#volumes,
      cgroups: this.#cgroups,
      starter: podStarter,
      killer: podKiller,
      reasons,
      paths,
      dns: {
        clusterDns: configuration.clusterDNS,
        clusterDomain: configuration.clusterDomain,
        resolvConf: configuration.resolvConf,
      },
      resources,
      syncMs: configuration.syncFrequency,
      hostIps,
      runtimeName: () => this.#agent?.health.view.name ?? '',
      networkProblem: () => this.#agent?.health.networkProblem,
      tokenDueInMs: (uid) => this.environment.tokenDueInMs(uid),
      credentials: (pod, signal) => this.environment.credentials(pod, signal),
      reconcileMirror: (pod) => this.#reconcileMirror(pod),
      release: (uid) => this.environment.release(uid),
    });
  }

  async #runtimeHandler(pod: AssignedPod): Promise<string> {
    const name = pod.spec.runtimeClassName;
    const { client } = this.#ground;
    if (!name) return '';
    if (!client) throw new Error(`runtimeClassName "${name}" can not be looked up without an API server`);
    return (await client.resource(kinds.runtimeClasses).get({ name })).handler;
  }

  async #supportsRecursiveReadOnly(pod: AssignedPod): Promise<boolean> {
    const handler = await this.#runtimeHandler(pod);
    const handlers = this.#agent?.health.view.handlers ?? [];
    return handlers.find(({ name }) => name === handler)?.features?.recursiveReadOnlyMounts ?? false;
  }

  #reconcileMirror(pod: AssignedPod): void {
    this.mirrors?.reconcile(pod, this.store.mirrorOf(pod)).catch((error: unknown) => {
      this.#ground.logger.warn('a mirror pod could not be made', { pod: describePod(pod), error });
    });
  }

  #removeMirror(mirror: AssignedPod): void {
    this.mirrors?.remove(mirror).catch((error: unknown) => {
      this.#ground.logger.warn('a mirror pod could not be removed', { pod: describePod(mirror), error });
    });
  }

  /** Images that pods of this node name: of their containers and of their volumes. */
  wantedImages(): string[] {
    const pods = [...this.store.pods].filter(({ status }) => !isTerminalPhase(status?.phase));
    const named = pods.flatMap((pod) => [
      ...containersOf(pod).map(({ container }) => container.image),
      ...(pod.spec.volumes ?? []).map(({ image }) => image?.reference),
    ]);
    return named.flatMap((name) => (name ? (canonicalImage(name) ?? []) : []));
  }

  async #collectGarbage(isKept: IsKept): Promise<void> {
    const { clock } = this.#ground;
    for (const uid of await this.#volumes.podsOnDisk()) if (!isKept(uid)) await this.#volumes.remove(uid);
    for (const uid of [...this.cache.uids]) if (!isKept(uid)) this.cache.forget(uid);
    this.#cgroups.weighClasses();
    this.#backoff.prune();
    this.#images.prune();
    if (clock.monotonicMs() - this.#collectedMs < garbageMs) return;
    this.#collectedMs = clock.monotonicMs();
    await this.#collector.collect(isKept);
  }

  /** Pods that run, are about to, or still stop. */
  #activePods(): AssignedPod[] {
    return [...this.store.pods].filter(({ metadata: { uid } }) => {
      const phase = this.workers.phaseOf(uid);
      return phase === 'syncing' || phase === 'terminating';
    });
  }

  #warnOfDisk(): void {
    if (this.#hasWarnedOfDisk) return;
    this.#hasWarnedOfDisk = true;
    const { nodeName } = this.#ground;
    const object = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid: nodeName };
    const message = 'memory-backed volumes are kept on disk: this kubelet may not mount tmpfs';
    this.#recorder.record({ object, type: 'Warning', reason: 'PossibleMemoryBackedVolumesOnDisk', message });
  }
}
