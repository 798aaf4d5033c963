import type { Container } from '@wherry/kubeapi';
import { isSidecar } from '@wherry/podrules';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import type { MemoryNodes, NodeMask } from '../topology/memory-nodes.ts';
import type { MemoryBlock } from './memory-table.ts';

/** Memory of init containers of the pod that is being taken in: who starts after they have ended gets it once more. */
export class ReusableMemory {
  readonly #nodes: MemoryNodes;
  #uid = '';
  readonly #bytes = new Map<string, number>();

  constructor(nodes: MemoryNodes) {
    this.#nodes = nodes;
  }

  /** Bytes of one kind that are there of exactly these nodes. */
  of({ metadata }: AssignedPod, mask: NodeMask, type: string): number {
    return metadata.uid === this.#uid ? (this.#bytes.get(`${mask} ${type}`) ?? 0) : 0;
  }

  /** A container of the pod has these blocks. */
  note(pod: AssignedPod, container: Container, blocks: readonly MemoryBlock[]): void {
    if (pod.metadata.uid !== this.#uid) {
      this.#uid = pod.metadata.uid;
      this.#bytes.clear();
    }
    const ends = pod.spec.initContainers?.includes(container) && !isSidecar(container);
    for (const { nodes, type, sizeBytes } of blocks) {
      const key = `${this.#nodes.maskOf(nodes)} ${type}`;
      const before = this.#bytes.get(key) ?? 0;
      this.#bytes.set(key, ends ? Math.max(before, sizeBytes) : Math.max(0, before - sizeBytes));
    }
  }
}
