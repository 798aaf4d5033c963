import {
  chainsOf,
  changeTable,
  elementsOf,
  runNft,
  setsOf,
  type Table,
  type TableContent,
  type WantedTable,
} from '@wherry/linux';
import { isKept, isOfPolicies } from './names.ts';
import { ruleset, type TableOptions } from './ruleset.ts';

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
    const { versionChain, commands } = ruleset(this.#options);
    if (!chainsOf(this.#table)?.includes(versionChain)) await runNft(commands);
    const sets = setsOf(this.#table);
    return {
      elements: sets.filter(isKept).flatMap((set) => elementsOf(this.#table, set)),
      chains: (chainsOf(this.#table) ?? []).filter(isOfPolicies),
      sets: sets.filter(isOfPolicies),
    };
  }

  /** Brings the table to what is wanted, in one step. Throws what the kernel refused. */
  apply(wanted: WantedTable): void {
    const difference = wanted.change();
    if (!difference) return;
    changeTable(this.#table, difference.change);
    difference.done();
  }
}
