/**
 * In which order the parts of a node end: nothing brings back what has ended, and nothing of what ends goes unheard. Nodes
 * that joined its cluster go before it.
 */
const endOrder = [
  'members',
  'kubelet',
  'pods',
  'network',
  'controllers',
  'apiserver',
  'runtime',
  'monitor',
] as const;

type PartName = (typeof endOrder)[number];

interface Closable {
  close(): Promise<unknown>;
}

/** The parts of one node in this process, and those that are still starting. */
export class Parts {
  readonly #started = new Map<PartName, Closable>();
  readonly #starting: Promise<unknown>[] = [];
  #ending: Promise<void> | undefined;

  /** Takes a part on once it has started; gives back what it was given. */
  add<Part extends Closable>(name: PartName, starting: Promise<Part>): Promise<Part> {
    const taken = starting.then((part) => {
      this.#started.set(name, part);
      return part;
    });
    // Whoever awaits it hears of a failure; until then it is nobody's.
    this.#starting.push(taken.catch(() => {}));
    return taken;
  }

  /** Ends every part, also one that is starting; repeats are harmless. */
  close(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    await Promise.all(this.#starting);
    for (const name of endOrder) await this.#started.get(name)?.close();
  }
}
