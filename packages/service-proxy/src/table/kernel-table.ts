import {
  addressWords,
  chainsOf,
  changeTable,
  elementsOf,
  hasCode,
  keyPart,
  removeTable,
  runNft,
  type Table,
  type TableContent,
  type WantedTable,
} from '@wherry/linux';
import { keptSets, sets } from './names.ts';
import { type RulesOptions, ruleset } from './ruleset.ts';

const wordBytes = 4;

/** Chains that follow from services. */
const isKept = (name: string) => /^((node-port-)?choose|only-from|unassigned)-/.test(name);

/** How a node's table is made. */
export interface TableOptions extends RulesOptions {
  /** Its name, and the one that it has while older rules are there by its name. */
  tables: readonly [string, string];
}

/** The table of one node in the kernel. */
export class KernelTable {
  readonly #options: TableOptions;
  readonly #tables: readonly [Table, Table];
  #table: Table;
  /** Those that lead services until this one does. */
  #older: Table[] = [];

  constructor(options: TableOptions) {
    const { family, tables } = options;
    const [first, second] = [
      { family, name: tables[0] },
      { family, name: tables[1] },
    ];
    this.#options = options;
    this.#tables = [first, second];
    this.#table = first;
  }

  /** Whether there is none, not even one of other rules. */
  get isMissing(): boolean {
    return this.#tables.every((table) => chainsOf(table) === undefined);
  }

  /** Whether it has the second name: it gets the first once the older rules are gone. */
  get isPassing(): boolean {
    return this.#table === this.#tables[1];
  }

  /** What the table holds; it is made where there is none with the rules of now. */
  async settle(): Promise<TableContent> {
    const found = this.#tables.flatMap((table) => {
      const chains = chainsOf(table);
      return chains ? [{ table, chains }] : [];
    });
    const free = this.#tables.find((table) => found.every((each) => each.table !== table));
    const current = found.find(
      ({ table, chains }) =>
        chains.includes(this.#rulesOf(table).versionChain) && (table === this.#tables[0] || !free),
    );
    this.#table = current?.table ?? free ?? this.#table;
    this.#older = found.map(({ table }) => table).filter((table) => table !== this.#table);
    if (!current) {
      await runNft(this.#rulesOf(this.#table).commands);
      return { elements: [], chains: [] };
    }
    const elements = keptSets.flatMap((set) => elementsOf(this.#table, set));
    return { elements, chains: current.chains.filter(isKept) };
  }

  /** Brings the table to what is wanted, in one step. False when it was so already. Throws what the kernel refused. */
  apply(wanted: WantedTable): boolean {
    const difference = wanted.change();
    if (difference) {
      changeTable(this.#table, difference.change);
      difference.done();
    }
    for (const table of this.#older.splice(0)) removeTable(table);
    return difference !== undefined;
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

  #rulesOf({ name }: Table) {
    return ruleset(name, this.#options);
  }
}
