import { printedMap, type StateForm, takeState, writeState } from '../topology/state-file.ts';
import { copyOf, type MemoryBlock, type MemoryCell, type MemoryTable } from './memory-table.ts';

interface StoredNode {
  numberOfAssignments: number;
  memoryMap: Readonly<Record<string, MemoryCell>>;
  cells: readonly number[];
}

interface StoredBlock {
  numaAffinity: readonly number[];
  type: string;
  size: number;
}

interface Stored {
  policyName: string;
  machineState: Readonly<Record<string, StoredNode>>;
  entries?: Readonly<Record<string, Readonly<Record<string, readonly StoredBlock[]>>>>;
}

const numbers = (list: readonly number[]) => `([]int)[${list.join(' ')}]`;

const printedCell = (cell: MemoryCell) =>
  `<*>{TotalMemSize:(uint64)${cell.total} SystemReserved:(uint64)${cell.systemReserved} ` +
  `Allocatable:(uint64)${cell.allocatable} Reserved:(uint64)${cell.reserved} Free:(uint64)${cell.free}}`;

const printedNode = ({ numberOfAssignments, memoryMap, cells }: StoredNode) =>
  `<*>{NumberOfAssignments:(int)${numberOfAssignments} ` +
  `MemoryMap:(map[v1.ResourceName]*state.MemoryTable)${printedMap(memoryMap, printedCell)} Cells:${numbers(cells)}}`;

const printedBlock = ({ numaAffinity, type, size }: StoredBlock) =>
  `{NUMAAffinity:${numbers(numaAffinity)} Type:(v1.ResourceName)${type} Size:(uint64)${size}}`;

const form: StateForm<Stored> = {
  printed({ policyName, machineState, entries = {} }) {
    // Go sorts these keys as numbers, and so are they in an object of JavaScript.
    const nodes = Object.entries(machineState).map(([id, node]) => `${id}:${printedNode(node)}`);
    const own = printedMap(entries, (containers) =>
      printedMap(containers, (blocks) => `[${blocks.map(printedBlock).join(' ')}]`),
    );
    const fields = [
      `PolicyName:(string)${policyName}`,
      `MachineState:(state.NUMANodeMap)map[${nodes.join(' ')}]`,
      `Entries:(state.ContainerMemoryAssignments)${own}`,
      'Checksum:(checksum.Checksum)0',
    ];
    return `(*state.MemoryManagerCheckpoint){${fields.join(' ')}}`;
  },
};

/** Which containers have memory of which nodes, and what is left. It is kept in upstream's form. */
export class MemoryState {
  readonly #path: string;
  readonly #policy: string;
  readonly #blocks = new Map<string, Map<string, readonly MemoryBlock[]>>();
  /** Empty before the first time. */
  table: MemoryTable = new Map();

  /** Takes over what is there. Throws for a record that can't be read, or is of another policy. */
  constructor(path: string, policy: string) {
    this.#path = path;
    this.#policy = policy;
    takeState({ path, policy, form }, (stored) => this.#take(stored));
  }

  #take(stored: Stored): void {
    for (const [id, { numberOfAssignments, memoryMap, cells }] of Object.entries(stored.machineState))
      this.table.set(Number(id), {
        assignments: numberOfAssignments,
        memory: new Map(Object.entries(memoryMap)),
        group: cells,
      });
    for (const [uid, containers] of Object.entries(stored.entries ?? {}))
      for (const [container, blocks] of Object.entries(containers)) {
        const read = blocks.map(({ numaAffinity, type, size }) => ({
          nodes: numaAffinity,
          type,
          sizeBytes: size,
        }));
        this.set(uid, container, read);
      }
  }

  get(uid: string, container: string): readonly MemoryBlock[] | undefined {
    return this.#blocks.get(uid)?.get(container);
  }

  set(uid: string, container: string, blocks: readonly MemoryBlock[]): void {
    const ofPod = this.#blocks.get(uid) ?? new Map();
    this.#blocks.set(uid, ofPod.set(container, blocks));
  }

  delete(uid: string, container: string): void {
    const ofPod = this.#blocks.get(uid);
    ofPod?.delete(container);
    if (ofPod?.size === 0) this.#blocks.delete(uid);
  }

  /** Containers that have any. */
  get holders(): { uid: string; container: string; blocks: readonly MemoryBlock[] }[] {
    return [...this.#blocks].flatMap(([uid, containers]) =>
      [...containers].map(([container, blocks]) => ({ uid, container, blocks })),
    );
  }

  /** A copy of the table, to be changed. */
  copy(): MemoryTable {
    return copyOf(this.table);
  }

  /** Throws when it can't be written. */
  save(): void {
    const nodes = [...this.table].map(([id, { assignments, memory, group }]) => {
      const node = { numberOfAssignments: assignments, memoryMap: Object.fromEntries(memory), cells: group };
      return [id, node];
    });
    const entries = [...this.#blocks].map(([uid, containers]) => {
      const own = [...containers].map(([container, blocks]) => [container, blocks.map(storedBlock)]);
      return [uid, Object.fromEntries(own)];
    });
    const stored: Stored = {
      policyName: this.#policy,
      machineState: Object.fromEntries(nodes),
      ...(entries.length > 0 ? { entries: Object.fromEntries(entries) } : {}),
    };
    writeState(this.#path, stored, form);
  }
}

function storedBlock({ nodes, type, sizeBytes }: MemoryBlock): StoredBlock {
  return { numaAffinity: nodes, type, size: sizeBytes };
}
