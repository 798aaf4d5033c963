import assert from 'node:assert/strict';

/** One write of one object, by who wrote it. */
export interface Write {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** What the object says after it, and where it is deleted, what it said last. */
  number: number;
  /** Of an acknowledged write that tells it. */
  resourceVersion?: string | undefined;
}

/** What has become of each object, in the order in which one writer at a time wrote it. */
export class History {
  readonly #writes = new Map<string, Write[]>();
  #lastNumber = 0;

  /** A number that no write has had: one that changed nothing would be no event. */
  newNumber(): number {
    return ++this.#lastNumber;
  }

  /** A write that was acknowledged, or was found to have happened. */
  add(name: string, write: Write): void {
    const writes = this.#writes.get(name) ?? [];
    this.#writes.set(name, writes);
    writes.push(write);
  }

  get size(): number {
    return [...this.#writes.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** What an object has to say; undefined where there is none. */
  numberOf(name: string): number | undefined {
    const last = this.#writes.get(name)?.at(-1);
    return last?.type === 'DELETED' ? undefined : last?.number;
  }

  /** The objects that there are, each with what it says. */
  get live(): [name: string, number: number][] {
    return [...this.#writes.keys()].flatMap((name): [string, number][] => {
      const number = this.numberOf(name);
      return number === undefined ? [] : [[name, number]];
    });
  }

  /** Throws unless a watcher was told exactly this: each write once, in order, under the version that its writer got. */
  expectSeen(watcher: string, seen: History): void {
    assert.deepEqual([...seen.#writes.keys()].sort(), [...this.#writes.keys()].sort(), watcher);
    for (const [name, writes] of this.#writes) {
      const told = seen.#writes.get(name) ?? [];
      const text = ({ type, number }: Write) => `${type} ${number}`;
      assert.deepEqual(told.map(text), writes.map(text), `${watcher}, ${name}`);
      for (const [at, { resourceVersion }] of writes.entries())
        if (resourceVersion !== undefined)
          assert.equal(told[at]?.resourceVersion, resourceVersion, `${watcher}, ${name}`);
    }
  }
}
