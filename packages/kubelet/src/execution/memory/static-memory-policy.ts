import type { Container } from '@wherry/kubeapi';
import { isSidecar, qualityOfService } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { containersWithResources, type Hint, noHints, type ResourceHints } from '../topology/hints.ts';
import type { MemoryNodes, NodeMask } from '../topology/memory-nodes.ts';
import { declaresAsWhole } from '../topology/whole-pod.ts';
import { askedMemory, askedMemoryOfPod, type MemoryAmounts } from './asked-memory.ts';
import { bestHint, fittingNodes, heldHints, hintsForAll, isGroupBroken } from './memory-hints.ts';
import type { MemoryState } from './memory-state.ts';
import {
  copyOf,
  giveMemory,
  isSameGroup,
  type MemoryBlock,
  type MemoryTable,
  sumOf,
  takeMemoryBack,
} from './memory-table.ts';
import { ReusableMemory } from './reusable-memory.ts';
import { isSameMemory } from './same-memory.ts';

/** What the policy is made of. */
export interface StaticMemoryOptions {
  nodes: MemoryNodes;
  /** The machine's memory as long as nothing is given away. */
  atFirst: MemoryTable;
  state: MemoryState;
}

/**
 * Gives containers of Guaranteed pods memory of as few memory nodes as can be; a node gives memory alone, or always together
 * with the same others (upstream: pkg/kubelet/cm/memorymanager policy_static.go).
 */
export class StaticMemoryPolicy {
  readonly #nodes: MemoryNodes;
  readonly #atFirst: MemoryTable;
  readonly #state: MemoryState;
  readonly #reusable: ReusableMemory;

  /** Throws where the record does not fit the machine. */
  constructor({ nodes, atFirst, state }: StaticMemoryOptions) {
    this.#nodes = nodes;
    this.#atFirst = atFirst;
    this.#state = state;
    this.#reusable = new ReusableMemory(nodes);
    if (state.table.size > 0) this.#requireFit();
    else if (state.holders.length > 0)
      throw new Error('containers have memory of a machine that is not told of');
    else state.table = copyOf(atFirst);
  }

  /** What the record says is left must be what the machine has without that which containers have. */
  #requireFit(): void {
    const { table, holders } = this.#state;
    const expected = copyOf(this.#atFirst);
    const blocks = holders.flatMap((holder) => holder.blocks);
    for (const block of blocks) giveMemory(expected, block, block.sizeBytes);
    if (!isSameMemory(table, expected, blocks))
      throw new Error(
        'the memory of this machine, or what is reserved of it, is not what the record tells of',
      );
  }

  /** Memory that containers can have, taken or not, as a block of each node and kind. */
  get allocatable(): MemoryBlock[] {
    return [...this.#atFirst].flatMap(([id, { memory }]) =>
      [...memory]
        .filter(([, { allocatable }]) => allocatable > 0)
        .map(([type, { allocatable }]) => ({ nodes: [id], type, sizeBytes: allocatable })),
    );
  }

  /** Whether containers of the pod are to have memory of certain nodes. */
  isAsked(pod: AssignedPod): boolean {
    return qualityOfService(pod) === 'Guaranteed' && !declaresAsWhole(pod);
  }

  hintsOf(pod: AssignedPod, container: Container): ResourceHints {
    if (!this.isAsked(pod)) return noHints;
    const asked = askedMemory(container);
    const held = this.#state.get(pod.metadata.uid, container.name);
    return held ? heldHints(this.#nodes, asked, held) : hintsForAll(asked, this.#fitting(pod, asked));
  }

  podHintsOf(pod: AssignedPod): ResourceHints {
    if (!this.isAsked(pod)) return noHints;
    const asked = askedMemoryOfPod(pod);
    if (asked.size === 0) return noHints;
    for (const { name } of containersWithResources(pod)) {
      const held = this.#state.get(pod.metadata.uid, name);
      if (held) return heldHints(this.#nodes, asked, held);
    }
    return hintsForAll(asked, this.#fitting(pod, asked));
  }

  #fitting(pod: AssignedPod, asked: MemoryAmounts): Hint[] {
    const reusable = (mask: NodeMask, type: string) => this.#reusable.of(pod, mask, type);
    return fittingNodes({ table: this.#state.table, nodes: this.#nodes, asked, reusable });
  }

  /** Whether a container was given memory just now. Throws why it can't have any. */
  allocate(pod: AssignedPod, container: Container, from: Hint): boolean {
    const { uid } = pod.metadata;
    const held = this.#state.get(uid, container.name);
    if (held) {
      this.#reusable.note(pod, container, held);
      return false;
    }
    const asked = askedMemory(container);
    const mask = this.#choose(pod, asked, from);
    const nodes = this.#nodes.idsOf(mask);
    if (isGroupBroken(this.#state.table, nodes))
      throw new Error('[memorymanager] preferred hint violates NUMA node allocation');
    const blocks = [...asked].map(([type, sizeBytes]) => ({ nodes, type, sizeBytes }));
    const table = this.#state.copy();
    for (const block of blocks) {
      const own = this.#reusable.of(pod, mask, block.type);
      giveMemory(table, block, Math.max(0, block.sizeBytes - own));
    }
    this.#reusable.note(pod, container, blocks);
    this.#state.table = table;
    this.#state.set(uid, container.name, blocks);
    this.#takeOver(pod, container, blocks);
    return true;
  }

  /** The nodes that were chosen for all resources together, more where these have too little. */
  #choose(pod: AssignedPod, asked: MemoryAmounts, from: Hint): NodeMask {
    const { nodes: mask, isPreferred } =
      from.nodes === undefined ? this.#default(pod, asked, from) : { ...from, nodes: from.nodes };
    const { table } = this.#state;
    const ids = this.#nodes.idsOf(mask);
    if ([...asked].every(([type, bytes]) => sumOf(table, ids, type, 'free') >= bytes)) return mask;
    const wider = bestHint(this.#fitting(pod, asked).filter((hint) => ((hint.nodes ?? 0) & mask) === mask));
    if (wider?.nodes === undefined)
      throw new Error('[memorymanager] failed to find NUMA nodes to extend the current topology hint');
    if (!wider.isPreferred && isPreferred)
      throw new Error('[memorymanager] failed to find the extended preferred hint');
    return wider.nodes;
  }

  #default(pod: AssignedPod, asked: MemoryAmounts, from: Hint): Hint & { nodes: NodeMask } {
    const own = bestHint(this.#fitting(pod, asked));
    if (own?.nodes === undefined)
      throw new Error(
        '[memorymanager] failed to get the default NUMA affinity, no NUMA nodes with enough memory is available',
      );
    if (!own.isPreferred && from.isPreferred)
      throw new Error('[memorymanager] failed to find the default preferred hint');
    return { ...own, nodes: own.nodes };
  }

  /** What a container has of init containers before it is theirs no more, so that all blocks together are what was given. */
  #takeOver(pod: AssignedPod, container: Container, blocks: readonly MemoryBlock[]): void {
    const { uid } = pod.metadata;
    const before = regularInitContainersBefore(pod, container);
    for (const { type, nodes, sizeBytes } of blocks) {
      let left = sizeBytes;
      for (const { name } of before) {
        const theirs = this.#state.get(uid, name);
        if (!theirs) continue;
        const rest = theirs.map((block) => {
          if (block.type !== type || !isSameGroup(block.nodes, nodes)) return block;
          const part = Math.min(left, block.sizeBytes);
          left -= part;
          return { ...block, sizeBytes: block.sizeBytes - part };
        });
        this.#state.set(uid, name, rest);
      }
    }
  }

  /** The container starts: init containers before it have ended, and theirs is free. Answers whether there was anything. */
  started(pod: AssignedPod, container: Container): boolean {
    const ended = regularInitContainersBefore(pod, container).filter(({ name }) =>
      this.#state.get(pod.metadata.uid, name),
    );
    for (const { name } of ended) this.remove(pod.metadata.uid, name);
    return ended.length > 0;
  }

  /** Takes back what a container has. */
  remove(uid: string, container: string): void {
    const blocks = this.#state.get(uid, container);
    if (!blocks) return;
    this.#state.delete(uid, container);
    const table = this.#state.copy();
    for (const block of blocks) takeMemoryBack(table, block);
    this.#state.table = table;
  }
}

function regularInitContainersBefore({ spec }: AssignedPod, container: Container): Container[] {
  const all = spec.initContainers ?? [];
  const place = all.findIndex(({ name }) => name === container.name);
  return (place < 0 ? all : all.slice(0, place)).filter((each) => !isSidecar(each));
}
