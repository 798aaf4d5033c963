/** Lists and maps that expressions make. */
import { CelList, CelMap, Uint, type Value } from './value.ts';

/** A list of values that are there. */
export class ArrayList extends CelList {
  readonly values: readonly Value[];

  constructor(values: readonly Value[]) {
    super();
    this.values = values;
  }

  get size(): number {
    return this.values.length;
  }

  at(index: number): Value {
    return this.values[index]!;
  }
}

/** Two lists, one after the other: joined without being copied, since doubling a list costs next to nothing. */
export class JoinedList extends CelList {
  readonly #left: CelList;
  readonly #right: CelList;
  readonly size: number;
  #flat: readonly Value[] | undefined;

  constructor(left: CelList, right: CelList) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
  }

  at(index: number): Value {
    if (this.#flat) return this.#flat[index]!;
    let list: CelList = this;
    let place = index;
    while (list instanceof JoinedList && !list.#flat) {
      const { size } = list.#left;
      if (place < size) list = list.#left;
      else {
        place -= size;
        list = list.#right;
      }
    }
    return list.at(place);
  }
}

/** A list that grows while a macro goes on, and is not seen by anybody else until then. */
export class GrowingList extends CelList {
  readonly values: Value[] = [];

  get size(): number {
    return this.values.length;
  }

  at(index: number): Value {
    return this.values[index]!;
  }
}

/** A map of entries. */
export class EntryMap extends CelMap {
  readonly #entries = new Map<string, readonly [Value, Value]>();

  get size(): number {
    return this.#entries.size;
  }

  /** False when there is such a key already. */
  add(key: Value, value: Value): boolean {
    const text = keyText(key);
    if (text === undefined || this.#entries.has(text)) return false;
    this.#entries.set(text, [key, value]);
    return true;
  }

  get(key: Value): Value | undefined {
    const text = keyText(key);
    return text === undefined ? undefined : this.#entries.get(text)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** Numbers of all types are the same key where they are equal. Undefined: no key. */
export function keyText(key: Value): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'boolean':
      return `b${key}`;
    case 'bigint':
      return `n${key}`;
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : undefined;
    default:
      return key instanceof Uint ? `n${key.value}` : undefined;
  }
}
