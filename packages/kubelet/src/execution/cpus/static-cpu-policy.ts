import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import type { CpuTopology } from '../../ground/topology/cpu-topology.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { type CpuSet, formatCpuSet, isSameSet } from '../../pod/cpu-set.ts';
import { AdmissionRefusal } from '../topology/admission-refusal.ts';
import { containersWithResources, type Hint, noHints, type ResourceHints } from '../topology/hints.ts';
import type { MemoryNodes, NodeMask } from '../topology/memory-nodes.ts';
import { declaresAsWhole } from '../topology/whole-pod.ts';
import { askedCpus, askedCpusOfPod } from './asked-cpus.ts';
import { cpuHints, socketsOf } from './cpu-hints.ts';
import type { CpuOptions } from './cpu-options.ts';
import type { CpuState } from './cpu-state.ts';
import { takeCpus } from './take-cpus.ts';

const resource = 'cpu';
const none: CpuSet = new Set();

/** What the policy is made of. */
export interface StaticCpuOptions {
  topology: CpuTopology;
  nodes: MemoryNodes;
  options: CpuOptions;
  /** Processors that no container gets to itself: these, or as many. */
  reserved: CpuSet | number;
  state: CpuState;
}

/**
 * Gives containers of Guaranteed pods that ask for whole processors these to themselves, for as long as the pod is there;
 * all others share the rest (upstream: pkg/kubelet/cm/cpumanager policy_static.go).
 */
export class StaticCpuPolicy {
  readonly #topology: CpuTopology;
  readonly #nodes: MemoryNodes;
  readonly #options: CpuOptions;
  readonly #state: CpuState;
  readonly #reserved: CpuSet;
  /** The reserved ones, and those that share a core with them. */
  readonly #reservedCores: CpuSet;
  /** Processors of ended init containers of the pod that is being taken in. */
  #reusable: { uid: string; cpus: CpuSet } = { uid: '', cpus: none };

  /** Throws where the record does not fit the machine, or not enough can be reserved. */
  constructor({ topology, nodes, options, reserved, state }: StaticCpuOptions) {
    this.#topology = topology;
    this.#nodes = nodes;
    this.#options = options;
    this.#state = state;
    this.#reserved = typeof reserved === 'number' ? this.#take(topology.cpus, reserved) : reserved;
    const cores = [...this.#reserved].map((cpu) => topology.places.get(cpu)?.core ?? cpu);
    this.#reservedCores = topology.cpusIn('core', ...cores);
    this.#begin();
  }

  /** Takes over the record, or begins one. */
  #begin(): void {
    const { shared, grants } = this.#state;
    const all = this.#options.isReservedStrictly
      ? this.#topology.cpus.difference(this.#reserved)
      : this.#topology.cpus;
    // Where reserved ones are not shared, the others may all be given away; upstream's kubelet does not start again then.
    if (shared.size === 0 && grants.length === 0) {
      this.#state.shared = all;
      return;
    }
    const reservedShared = this.#reserved.intersection(shared);
    const isInOrder = this.#options.isReservedStrictly
      ? reservedShared.size === 0
      : reservedShared.size === this.#reserved.size;
    if (!isInOrder)
      throw new Error(
        `of the reserved processors ${formatCpuSet(this.#reserved)} there are ${formatCpuSet(reservedShared) || 'none'} ` +
          `among those that are shared, ${formatCpuSet(shared)}`,
      );
    for (const { uid, container, cpus } of grants)
      if (!cpus.isDisjointFrom(shared))
        throw new Error(
          `container ${container} of pod ${uid} has processors that are shared: ${formatCpuSet(cpus)}`,
        );
    const known = new Set([...shared, ...grants.flatMap(({ cpus }) => [...cpus])]);
    if (!isSameSet(known, all))
      throw new Error(
        `the machine has the processors ${formatCpuSet(all)}, the record tells of ${formatCpuSet(known)}`,
      );
  }

  /** Processors that containers can have to themselves, taken or not. */
  get allocatable(): CpuSet {
    return this.#topology.cpus.difference(this.#reserved);
  }

  /** Those that nobody has. */
  get available(): CpuSet {
    return this.#state.shared.difference(this.#reserved);
  }

  /** Whether a container is to have processors to itself. */
  isAsked(pod: AssignedPod, container: Container): boolean {
    return askedCpus(pod, container) > 0 && !declaresAsWhole(pod);
  }

  hintsOf(pod: AssignedPod, container: Container): ResourceHints {
    if (!this.isAsked(pod, container)) return noHints;
    const asked = askedCpus(pod, container);
    const held = this.#state.get(pod.metadata.uid, container.name);
    if (!held) return this.#hints(this.available, this.#reusableOf(pod), asked);
    return held.size === asked ? this.#hints(held, none, asked) : new Map([[resource, []]]);
  }

  podHintsOf(pod: AssignedPod): ResourceHints {
    const asked = askedCpusOfPod(pod);
    if (asked === 0 || declaresAsWhole(pod)) return noHints;
    let held = new Set<number>();
    for (const container of containersWithResources(pod)) {
      const own = this.#state.get(pod.metadata.uid, container.name);
      if (own && own.size !== askedCpus(pod, container)) return new Map([[resource, []]]);
      held = held.union(own ?? none);
    }
    if (held.size === asked) return this.#hints(held, none, asked);
    return this.#hints(this.available, this.#reusableOf(pod).union(held), asked);
  }

  #hints(available: CpuSet, reusable: CpuSet, asked: number): ResourceHints {
    const { isAlignedBySocket } = this.#options;
    const need = { topology: this.#topology, nodes: this.#nodes, available, reusable, asked };
    return new Map([[resource, cpuHints({ ...need, isAlignedBySocket })]]);
  }

  /** The processors that a container was given just now; undefined where it has them already or wants none. Throws why not. */
  allocate(pod: AssignedPod, container: Container, from: Hint): CpuSet | undefined {
    if (!this.isAsked(pod, container)) return undefined;
    const asked = askedCpus(pod, container);
    const { uid } = pod.metadata;
    const held = this.#state.get(uid, container.name);
    // What it has is its own, whatever is free by now: upstream judges it once more when the kubelet starts anew.
    if (held) {
      this.#noteReusable(pod, container, held);
      return undefined;
    }
    this.#requireWholeCores(asked);
    const cpus = this.#choose(asked, from.nodes, this.#reusableOf(pod));
    this.#state.shared = this.#state.shared.difference(cpus);
    this.#state.set({ uid, container: container.name, cpus });
    this.#noteReusable(pod, container, cpus);
    return cpus;
  }

  /** Takes back what a container has, as far as no other container of its pod has it; answers that. */
  remove(uid: string, container: string): CpuSet {
    const held = this.#state.get(uid, container);
    if (!held) return none;
    this.#state.delete(uid, container);
    const free = held.difference(this.#state.ofOthersIn(uid, container));
    this.#state.shared = this.#state.shared.union(free);
    return free;
  }

  #requireWholeCores(asked: number): void {
    if (!this.#options.isFullCores) return;
    const { cpusPerCore } = this.#topology;
    if (asked % cpusPerCore !== 0)
      throw new AdmissionRefusal(
        'SMTAlignmentError',
        `SMT Alignment Error: requested ${asked} cpus not multiple cpus per core = ${cpusPerCore}`,
      );
    const { size } = this.#state.shared.difference(this.#reservedCores);
    if (asked > size)
      throw new AdmissionRefusal(
        'SMTAlignmentError',
        'SMT Alignment Error: not enough free physical CPUs: ' +
          `available physical CPUs = ${size}, requested CPUs = ${asked}, CPUs per core = ${cpusPerCore}`,
      );
  }

  /** Near to these memory nodes as far as there are any, and others for the rest. */
  #choose(asked: number, nodes: NodeMask | undefined, reusable: CpuSet): CpuSet {
    const free = this.available.union(reusable);
    const near = nodes === undefined ? none : free.intersection(this.#cpusNear(this.#nodes.idsOf(nodes)));
    const first = this.#take(near, Math.min(near.size, asked));
    return first.union(this.#take(free.difference(first), asked - first.size));
  }

  #cpusNear(nodes: readonly number[]): CpuSet {
    if (!this.#options.isAlignedBySocket) return this.#topology.cpusIn('node', ...nodes);
    return this.#topology.cpusIn('socket', ...socketsOf(this.#topology, nodes));
  }

  #take(available: CpuSet, count: number): CpuSet {
    return takeCpus({ topology: this.#topology, options: this.#options, available, count });
  }

  #reusableOf({ metadata }: AssignedPod): CpuSet {
    return this.#reusable.uid === metadata.uid ? this.#reusable.cpus : none;
  }

  /** What init containers have is given once more to what starts after they have ended. */
  #noteReusable(pod: AssignedPod, container: Container, cpus: CpuSet): void {
    const before = this.#reusableOf(pod);
    const ends = pod.spec.initContainers?.includes(container) && !isSidecar(container);
    this.#reusable = {
      uid: pod.metadata.uid,
      cpus: ends ? before.union(cpus) : before.difference(cpus),
    };
  }
}
