import type { Clock } from '@wherry/clock';
import { type CriClient, isCriError, type LinuxContainerResources } from '@wherry/cri';
import type { Histogram } from '@wherry/telemetry';
import type { AllocationStore } from '../../board/allocations.ts';
import { withAllocation } from '../../pod/allocation.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type Resizable, resourcesOf } from '../../pod/container-amounts.ts';
import { containerLabels } from '../../pod/labels.ts';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { PodBounds, PodGroup } from '../cgroups/pod-group.ts';
import { containerResources, type ResourceContext } from '../cgroups/resources.ts';
import type { ContainerResize, PodResize } from '../plan/pod-actions.ts';
import { overheadResources, podResources } from '../sandbox/sandbox-config.ts';
import { memoryObjections } from './memory-objections.ts';

/** What resizes are carried out with. */
export interface PodResizerOptions {
  runtime: CriClient['runtime'];
  cgroups: PodCgroups;
  resources: ResourceContext;
  /** What pods were made with. */
  actuated: AllocationStore;
  clock: Clock;
  duration: Histogram;
}

/** Upper bounds of `duration`, in milliseconds: upstream's. */
export const resizeBuckets = [
  ...[10, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000],
  ...[120_000, 300_000, 600_000],
];

/** A resize to carry out. */
export interface ResizeRequest {
  pod: AssignedPod;
  sandboxId: string;
  resize: PodResize;
  signal: AbortSignal;
}

const unchanged: PodBounds = { cpuShare: undefined, cpuQuotaUs: undefined, memoryBytes: undefined };

/**
 * Gives running containers other resources. The pod's own cgroup grows before its containers do, and shrinks after them,
 * memory first; limits grow before requests and shrink after them. The runtime hears of each step of the pod before it is
 * made, and may refuse it (kuberuntime: doPodResizeAction).
 */
export class PodResizer {
  readonly #options: PodResizerOptions;

  constructor(options: PodResizerOptions) {
    this.#options = options;
  }

  /** Throws where a step failed; those before it stay. */
  async run(request: ResizeRequest): Promise<void> {
    const { clock, duration } = this.#options;
    const startedMs = clock.monotonicMs();
    let success = 'false';
    try {
      await this.#run(request);
      success = 'true';
    } finally {
      duration.observe(clock.monotonicMs() - startedMs, { success });
    }
  }

  async #run(request: ResizeRequest): Promise<void> {
    const { pod, resize, signal } = request;
    const { cgroups, actuated, runtime } = this.#options;
    const group = cgroups.groupOf(pod);
    const wanted = { ...unchanged, ...group?.wanted(pod) };
    const isShrinking =
      group !== undefined && (wanted.memoryBytes ?? Infinity) < (group.read().memoryBytes ?? 0);
    if (resize.memory.length > 0 || resize.wholePod) {
      const usage = () =>
        runtime.listContainerStats(
          { filter: { labelSelector: { [containerLabels.podUid]: pod.metadata.uid } } },
          { signal },
        );
      const podUsage = isShrinking ? { limit: wanted.memoryBytes ?? 0, group } : undefined;
      await memoryObjections({ resizes: resize.memory, pod: podUsage, usage });
    }
    const steps = new PodSteps(request, group, this.#options);
    for (const name of ['memory', 'cpu'] as const) {
      if (resize[name].length === 0 && !resize.wholePod) continue;
      await this.#resize(name, { request, wanted, steps, group });
    }
    if (resize.wholePod) actuated.setPod(pod.metadata.uid, pod.spec.resources);
  }

  async #resize(
    name: Resizable,
    view: { request: ResizeRequest; wanted: PodBounds; steps: PodSteps; group: PodGroup | undefined },
  ): Promise<void> {
    const { request, wanted, steps, group } = view;
    const current = { ...unchanged, ...group?.read() };
    const limit = name === 'cpu' ? 'cpuQuotaUs' : 'memoryBytes';
    const parts = name === 'cpu' ? ([limit, 'cpuShare'] as const) : ([limit] as const);
    const change = (part: keyof PodBounds) => {
      const [to, from] = [wanted[part], current[part]];
      return to === undefined || from === undefined ? 0 : Math.sign(to - from) || 0;
    };
    for (const part of parts) if (change(part) > 0) await steps.take(part, wanted);
    for (const resize of request.resize[name]) await this.#update(name, resize, request);
    for (const part of parts.toReversed()) if (change(part) < 0) await steps.take(part, wanted);
  }

  async #update(name: Resizable, resize: ContainerResize, { pod, signal }: ResizeRequest): Promise<void> {
    const { runtime, resources, actuated } = this.#options;
    const { containerId, container, current, desired } = resize;
    const part =
      name === 'cpu'
        ? { cpuRequest: desired.cpuRequest, cpuLimit: desired.cpuLimit }
        : { memoryRequest: desired.memoryRequest, memoryLimit: desired.memoryLimit };
    Object.assign(current, part);
    const reached = { ...container, resources: resourcesOf(current) };
    const linux = containerResources(pod, reached, resources);
    await runtime.updateContainerResources({ containerId, linux }, { signal });
    actuated.setContainer(pod.metadata.uid, container.name, reached.resources);
  }
}

/** The steps of the pod as a whole, each told to the runtime first. */
class PodSteps {
  readonly #request: ResizeRequest;
  readonly #group: PodGroup | undefined;
  readonly #runtime: CriClient['runtime'];
  readonly #target: ReturnType<typeof podResources>;
  readonly #overhead: ReturnType<typeof overheadResources>;
  #told: ReturnType<typeof podResources>;

  constructor(
    request: ResizeRequest,
    group: PodGroup | undefined,
    { runtime, resources, actuated }: PodResizerOptions,
  ) {
    const { pod } = request;
    this.#request = request;
    this.#group = group;
    this.#runtime = runtime;
    this.#target = podResources(pod, resources);
    this.#overhead = overheadResources(pod, resources);
    this.#told = podResources(withAllocation(pod, actuated.of(pod.metadata.uid)), resources);
  }

  async take(part: keyof PodBounds, wanted: PodBounds): Promise<void> {
    const field = {
      cpuShare: 'cpuShares',
      cpuQuotaUs: 'cpuQuota',
      memoryBytes: 'memoryLimitInBytes',
    } as const;
    const before = this.#told;
    const next = { ...before, [field[part]]: this.#target[field[part]] };
    await this.#tell(next);
    try {
      await this.#group?.write({ ...unchanged, [part]: wanted[part] });
    } catch (error) {
      await this.#tell(before).catch(() => {});
      throw error;
    }
    this.#told = next;
  }

  /** Runtimes that do not know the call are not asked. */
  async #tell(resources: Partial<LinuxContainerResources>): Promise<void> {
    const { sandboxId: podSandboxId, signal } = this.#request;
    const overhead = this.#overhead;
    try {
      await this.#runtime.updatePodSandboxResources({ podSandboxId, resources, overhead }, { signal });
    } catch (error) {
      const { message } = error as Error;
      const isUnknown = isCriError(error, 'UNKNOWN') && message.includes('not implemented');
      if (!isUnknown && !isCriError(error, 'UNIMPLEMENTED')) throw error;
    }
  }
}
