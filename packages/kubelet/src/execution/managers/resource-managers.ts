import type { Clock } from '@wherry/clock';
import type { Container } from '@wherry/kubeapi';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { formatCpuSet } from '../../pod/cpu-set.ts';
import type { CpuManager } from '../cpus/cpu-manager.ts';
import type { DeviceManager } from '../devices/device-manager.ts';
import type { MemoryManager } from '../memory/memory-manager.ts';
import { AdmissionRefusal, refusalFrom } from '../topology/admission-refusal.ts';
import {
  type AllocationRequest,
  anywhere,
  containersWithResources,
  type Hint,
  type HintProvider,
  type ResourceHints,
} from '../topology/hints.ts';
import { type MergeRules, mergeHints } from '../topology/merge-hints.ts';
import type { Turns } from '../topology/turns.ts';
import type { ManagersFigures } from './managers-figures.ts';

/** What the managers are joined with. */
export interface ResourceManagersOptions {
  devices: DeviceManager;
  cpus: CpuManager;
  memory: MemoryManager;
  rules: MergeRules;
  /** Whether the containers of a pod are to be near to one another, or each by itself. */
  scope: 'container' | 'pod';
  /** One pod after the other is given what it asks for. */
  turns: Turns;
  figures: ManagersFigures;
  clock: Clock;
  /** Whether a pod runs, is about to, or still stops: what it has is nobody else's. */
  isActive(uid: string): boolean;
  /** Other processors are shared than before. */
  onShared(): void;
}

/** Where a container is to run, as CRI says it; empty for anywhere. */
export interface Placement {
  cpusetCpus?: string;
  cpusetMems?: string;
}

/**
 * Gives pods what has a place on the machine: devices, processors, memory. Each says from which memory nodes a container
 * could have it; one choice is made for all, and then each gives (upstream: pkg/kubelet/cm/topologymanager).
 */
export class ResourceManagers {
  readonly #options: ResourceManagersOptions;
  readonly #providers: readonly HintProvider[];
  #isSettled = false;

  constructor(options: ResourceManagersOptions) {
    this.#options = options;
    this.#providers = [options.devices, options.cpus, options.memory];
  }

  /** Whether a resource is brought by plug-ins, or was given away before. */
  brings(resource: string): boolean {
    return this.#options.devices.brings(resource);
  }

  /** Whether a pod that is new asks for nothing that is given here. */
  isFree(pod: AssignedPod): boolean {
    const { devices, cpus, memory, figures } = this.#options;
    const isAsked =
      devices.areAskedFor(pod) ||
      memory.isAsked(pod) ||
      containersWithResources(pod).some((container) => cpus.isAsked(pod, container));
    if (!isAsked) figures.requests.add(1);
    return !isAsked;
  }

  /** Gives the containers of a pod what they ask for. Throws {@link AdmissionRefusal}; then they have none of it. */
  allocate(pod: AssignedPod, request: AllocationRequest): Promise<void> {
    return this.#options.turns.take(() => this.#admit(pod, request));
  }

  async #admit(pod: AssignedPod, request: AllocationRequest): Promise<void> {
    const { figures, clock, rules, onShared } = this.#options;
    const beganMs = clock.monotonicMs();
    figures.requests.add(1);
    this.#collect(pod.metadata.uid);
    try {
      await this.#give(pod, request);
    } catch (error) {
      if (rules.policy !== 'none') figures.errors.add(1);
      this.release(pod.metadata.uid);
      throw refusalFrom(error);
    } finally {
      figures.durations.observe(clock.monotonicMs() - beganMs);
    }
    onShared();
  }

  async #give(pod: AssignedPod, request: AllocationRequest): Promise<void> {
    const { scope, rules } = this.#options;
    const isWhole = rules.policy !== 'none' && scope === 'pod';
    const hints = (of: (provider: HintProvider) => ResourceHints) => this.#providers.map(of);
    const forAll = isWhole
      ? this.#choose(
          'pod',
          hints((each) => each.podHintsOf(pod, request)),
        )
      : undefined;
    for (const container of containersWithResources(pod)) {
      const from = forAll ?? this.#choiceOf(() => hints((each) => each.hintsOf(pod, container, request)));
      for (const provider of this.#providers) await provider.allocate(pod, container, from, request);
      if (!isWhole) this.#count('container');
    }
    if (isWhole) this.#count('pod');
  }

  #choiceOf(hints: () => ResourceHints[]): Hint {
    return this.#options.rules.policy === 'none' ? anywhere : this.#choose('container', hints());
  }

  #choose(scope: 'container' | 'pod', hints: readonly ResourceHints[]): Hint {
    const { rules, figures } = this.#options;
    const { hint, isAdmitted } = mergeHints(rules, hints);
    if (isAdmitted) return hint;
    if (rules.policy === 'single-numa-node') figures.alignment.failed(scope, 'numa_node');
    throw new AdmissionRefusal(
      'TopologyAffinityError',
      'Resources cannot be allocated with Topology locality',
    );
  }

  #count(scope: 'container' | 'pod'): void {
    const { rules, figures } = this.#options;
    if (rules.policy === 'single-numa-node') figures.alignment.given(scope, 'numa_node');
  }

  /** Takes back what pods have that are gone; a pod that is just coming keeps what it has. */
  #collect(coming: string | undefined): void {
    if (!this.#isSettled) return;
    const { isActive } = this.#options;
    this.#keep((uid) => uid === coming || isActive(uid));
  }

  #keep(isKept: (uid: string) => boolean): void {
    const { devices, cpus, memory, onShared } = this.#options;
    devices.keep(isKept);
    memory.keep(isKept);
    if (cpus.keep(isKept)) onShared();
  }

  /** Takes back what pods have that are gone. */
  collect(): void {
    this.#collect(undefined);
  }

  /** Takes back what a pod has. */
  release(uid: string): void {
    this.#keep((other) => other !== uid);
  }

  /** Every pod of the node is known: what others have may be taken back. */
  settle(): void {
    this.#isSettled = true;
    this.collect();
  }

  /** Where a container is to run. */
  placementOf(pod: AssignedPod, { name }: Container): Placement {
    const { cpus, memory } = this.#options;
    const { uid } = pod.metadata;
    const own = formatCpuSet(cpus.cpusOf(uid, name));
    const nodes = new Set(memory.blocksOf(uid, name).flatMap((block) => [...block.nodes]));
    return {
      ...(own === '' ? {} : { cpusetCpus: own }),
      ...(nodes.size === 0 ? {} : { cpusetMems: [...nodes].sort((a, b) => a - b).join(',') }),
    };
  }

  /** A container is made. */
  started(pod: AssignedPod, container: Container): void {
    this.#options.memory.started(pod, container);
  }

  /** Whether a container of the pod, or this one, has processors to itself: it is held to no quota then. */
  hasOwnCpus(pod: AssignedPod, container?: Container): boolean {
    const containers = container ? [container] : containersWithResources(pod);
    return containers.some(
      ({ name }) => this.#options.cpus.exclusiveOf(pod.metadata.uid, name) !== undefined,
    );
  }
}
