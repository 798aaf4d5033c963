import {
  addressWords,
  chainsOf,
  changeTable,
  elementsOf,
  hasCode,
  keyPart,
  runNft,
  type Table,
  type TableContent,
  type WantedTable,
} from '@wherry/linux';
import { keptSets, sets } from './names.ts';
import { ruleset, type TableOptions } from './ruleset.ts';

const wordBytes = 4;

/** Chains that follow from services. */
const isKept = (name: string) => /^((node-port-)?choose|only-from|unassigned)-/.test(name);

/** The table of one node in the kernel. */
export class KernelTable {
  readonly #options: TableOptions;
  readonly #table: Table;

  constructor(options: TableOptions) {
    this.#options = options;
    this.#table = { family: options.family, name: options.table };
  }

  /** Whether there is none, not even one of other rules. */
  get isMissing(): boolean {
    return chainsOf(this.#table) === undefined;
  }

  /** What the table holds; it is made, or replaced, where its rules are not the ones of now. */
  async settle(): Promise<TableContent> {
    const chains = chainsOf(this.#table);
    const { versionChain, commands } = ruleset(this.#options);
    if (!chains?.includes(versionChain)) {
      await runNft(commands);
      return { elements: [], chains: [] };
    }
    const elements = keptSets.flatMap((set) => elementsOf(this.#table, set));
    return { elements, chains: chains.filter(isKept) };
  }

  /** Brings the table to what is wanted, in one step. False when it was so already. Throws what the kernel refused. */
  apply(wanted: WantedTable): boolean {
    const difference = wanted.change();
    if (!difference) return false;
    changeTable(this.#table, difference.change);
    difference.done();
    return true;
  }

  /**
   * Takes clients along that stay with an endpoint of this frontend whose number has changed, and lets those go whose
   * endpoint is gone. `renumbered` gives a number's new one.
   */
  moveClients(key: Buffer, renumbered: (number: number) => number | undefined): void {
    // A client's key begins with its own address; the rest is the frontend's.
    const addressBytes = addressWords[this.#options.family] * wordBytes;
    for (const set of [sets.affinity, sets.nodePortAffinity]) {
      for (const { key: client, data, timeoutMs } of elementsOf(this.#table, set)) {
        if (!client.subarray(addressBytes).equals(key) || !data) continue;
        const number = data.readUInt32LE(0);
        const next = renumbered(number);
        if (next === number) continue;
        const moved = { set, key: client, data: keyPart.index(next ?? 0), timeoutMs };
        try {
          changeTable(this.#table, {
            removedElements: [{ set, key: client }],
            addedElements: next === undefined ? [] : [moved],
          });
        } catch (error) {
          // Its time was over in between.
          if (!hasCode(error, 'ENOENT')) throw error;
        }
      }
    }
  }
}
