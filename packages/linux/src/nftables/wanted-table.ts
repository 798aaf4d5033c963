import type { Chain } from './messages.ts';
import type { NamedSet } from './named-set.ts';
import type { TableChange } from './nftables.ts';
import type { SetElement } from './set-elements.ts';

/** What one owner wants in a table. A name tells all of a chain: two of one name are the same; so with sets. */
export interface Share {
  elements?: readonly SetElement[] | undefined;
  chains?: readonly Chain[] | undefined;
  sets?: readonly NamedSet[] | undefined;
}

/** What is in the kernel's table, beside what is always there. */
export interface TableContent {
  elements: readonly SetElement[];
  /** Names. */
  chains: readonly string[];
  sets?: readonly string[] | undefined;
}

const idOf = ({ set, key }: SetElement) => `${set} ${key.toString('latin1')}`;

const isSame = (one: SetElement, other: SetElement) =>
  one.goto === other.goto && (one.data?.equals(other.data ?? Buffer.alloc(0)) ?? !other.data);

/**
 * What a table should hold beside what it holds. Several owners may want one element: where they differ, as when two
 * services claim one external address, the one that came first has it.
 */
export class WantedTable {
  readonly #shares = new Map<string, Share>();
  /** When each owner came: who wants something else from now on stays before those who came later. */
  readonly #ranks = new Map<string, number>();
  #owners = 0;
  readonly #wanted = new Map<string, Map<string, SetElement>>();
  readonly #chains = new Counted<Chain>();
  readonly #sets = new Counted<NamedSet>();
  readonly #touched = new Set<string>();
  #installed = new Map<string, SetElement>();

  /** Takes what the kernel holds; everything is compared with it again. */
  assume({ elements, chains, sets = [] }: TableContent): void {
    this.#installed = new Map(elements.map((element) => [idOf(element), element]));
    this.#chains.assume(chains);
    this.#sets.assume(sets);
    for (const id of [...this.#installed.keys(), ...this.#wanted.keys()]) this.#touched.add(id);
  }

  /** Replaces what an owner wants; undefined takes it out. */
  set(owner: string, share: Share | undefined): void {
    const before = this.#shares.get(owner);
    for (const element of before?.elements ?? []) this.#drop(owner, element);
    this.#chains.replace(before?.chains, share?.chains);
    this.#sets.replace(before?.sets, share?.sets);
    if (!share) {
      this.#shares.delete(owner);
      this.#ranks.delete(owner);
      return;
    }
    if (!before) this.#ranks.set(owner, this.#owners++);
    this.#shares.set(owner, share);
    for (const element of share.elements ?? []) {
      const id = idOf(element);
      const owners = this.#wanted.get(id) ?? new Map<string, SetElement>();
      this.#wanted.set(id, owners.set(owner, element));
      this.#touched.add(id);
    }
  }

  /** What has to change in the kernel, and what to call once it has. Undefined when nothing has. */
  change(): { change: TableChange; done: () => void } | undefined {
    const gone: SetElement[] = [];
    const addedElements: SetElement[] = [];
    for (const id of this.#touched) {
      const wanted = this.#firstOf(this.#wanted.get(id));
      const installed = this.#installed.get(id);
      if (wanted && installed && isSame(wanted, installed)) continue;
      if (installed) gone.push(installed);
      if (wanted) addedElements.push(wanted);
    }
    const { added: addedSets, removed: removedSets } = this.#sets.difference();
    const { added: addedChains, removed: removedChains } = this.#chains.difference();
    const going = new Set(removedSets);
    const removedElements = gone.filter(({ set }) => !going.has(set));
    const parts = [addedSets, addedChains, gone, addedElements, removedChains, removedSets];
    if (parts.every(({ length }) => length === 0)) {
      this.#touched.clear();
      return undefined;
    }
    return {
      change: { addedSets, addedChains, removedElements, addedElements, removedChains, removedSets },
      done: () => {
        for (const element of gone) this.#installed.delete(idOf(element));
        for (const element of addedElements) this.#installed.set(idOf(element), element);
        this.#chains.installed();
        this.#sets.installed();
        this.#touched.clear();
      },
    };
  }

  #firstOf(owners: ReadonlyMap<string, SetElement> | undefined): SetElement | undefined {
    let first: { rank: number; element: SetElement } | undefined;
    for (const [owner, element] of owners ?? []) {
      const rank = this.#ranks.get(owner) ?? 0;
      if (!first || rank < first.rank) first = { rank, element };
    }
    return first?.element;
  }

  #drop(owner: string, element: SetElement): void {
    const id = idOf(element);
    const owners = this.#wanted.get(id);
    owners?.delete(owner);
    if (owners?.size === 0) this.#wanted.delete(id);
    this.#touched.add(id);
  }
}

/** Things of a table that are there as long as somebody wants them. */
class Counted<T extends { name: string }> {
  readonly #users = new Map<string, { thing: T; count: number }>();
  readonly #touched = new Set<string>();
  #installed = new Set<string>();

  assume(names: readonly string[]): void {
    this.#installed = new Set(names);
    for (const name of [...names, ...this.#users.keys()]) this.#touched.add(name);
  }

  replace(before: readonly T[] = [], after: readonly T[] = []): void {
    for (const thing of before) this.#count(thing, -1);
    for (const thing of after) this.#count(thing, 1);
  }

  difference(): { added: T[]; removed: string[] } {
    const added: T[] = [];
    const removed: string[] = [];
    for (const name of this.#touched) {
      const wanted = this.#users.get(name);
      if (wanted && !this.#installed.has(name)) added.push(wanted.thing);
      if (!wanted && this.#installed.has(name)) removed.push(name);
    }
    return { added, removed };
  }

  /** The kernel has what {@link difference} said. */
  installed(): void {
    for (const name of this.#touched) {
      if (this.#users.has(name)) this.#installed.add(name);
      else this.#installed.delete(name);
    }
    this.#touched.clear();
  }

  #count(thing: T, difference: number): void {
    const { name } = thing;
    const count = (this.#users.get(name)?.count ?? 0) + difference;
    if (count > 0) this.#users.set(name, { thing, count });
    else this.#users.delete(name);
    this.#touched.add(name);
  }
}
