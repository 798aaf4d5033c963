import type { CpuLevel, CpuPool, CpuTopology } from '../../ground/topology/cpu-topology.ts';
import { type CpuSet, sorted } from '../../pod/cpu-set.ts';

/** Processors that are taken one group after the other, until there are enough. */
export class CpuAccumulator {
  readonly #topology: CpuTopology;
  readonly #isSpread: boolean;
  /** The two largest levels, the larger one first. */
  readonly #top: readonly ['node', 'socket'] | readonly ['socket', 'node'];
  readonly taken = new Set<number>();
  #free: CpuPool;
  #needed: number;

  /** `isSpread`: single processors are taken in the order of their numbers, whatever their cores are. */
  constructor(topology: CpuTopology, from: { available: CpuSet; count: number; isSpread: boolean }) {
    this.#topology = topology;
    this.#isSpread = from.isSpread;
    this.#top = topology.sockets >= topology.idsOf('node').length ? ['node', 'socket'] : ['socket', 'node'];
    this.#free = topology.only(from.available);
    this.#needed = from.count;
  }

  get free(): CpuPool {
    return this.#free;
  }

  get needed(): number {
    return this.#needed;
  }

  get isSatisfied(): boolean {
    return this.#needed < 1;
  }

  get isFailed(): boolean {
    return this.#needed > this.#free.size;
  }

  take(cpus: CpuSet): void {
    for (const cpu of cpus) this.taken.add(cpu);
    this.#free = this.#free.only(this.#free.cpus.difference(cpus));
    this.#needed -= cpus.size;
  }

  /** Whole nodes and sockets, the larger of the two first. */
  takeWholeTops(): void {
    for (const level of this.#top) {
      if (this.isSatisfied) return;
      const size = (id: number) =>
        level === 'socket' ? this.#topology.cpusPerSocket : this.#topology.countIn(level, id);
      this.#takeWhole(level, level === 'socket' ? this.#sockets() : this.nodes(), size);
    }
  }

  /** Whole cores. */
  takeWholeCores(): void {
    this.#takeWhole('core', this.#cores(), () => this.#topology.cpusPerCore);
  }

  /** Processors that share a cache: all that do, then as many of one cache as are missing. */
  takeByUncoreCache(): void {
    for (const uncore of this.#uncoreCaches()) {
      if (this.#needed >= this.#topology.cpusPerUncore)
        this.#takeWhole('uncore', this.#uncoreCaches(), (id) => this.#topology.countIn('uncore', id));
      if (!this.isSatisfied) this.#takePartOfUncoreCache(uncore);
      if (this.isSatisfied) return;
    }
  }

  /** One processor after the other. */
  takeSingles(): void {
    for (const cpu of this.#isSpread ? this.#singlesBySocket() : this.#singlesByCore()) {
      this.take(new Set([cpu]));
      if (this.isSatisfied) return;
    }
  }

  /** Groups of which no processor is taken and that are not larger than what is missing. `size`: what makes one whole. */
  #takeWhole(level: CpuLevel, ids: readonly number[], size: (id: number) => number): void {
    for (const id of ids.filter((each) => this.#free.countIn(level, each) === size(each))) {
      const cpus = this.#topology.cpusIn(level, id);
      if (this.#needed >= cpus.size) this.take(cpus);
    }
  }

  #takePartOfUncoreCache(uncore: number): void {
    const { cpusPerCore } = this.#topology;
    const coresNeeded = Math.ceil(this.#needed / cpusPerCore);
    const cores = this.#free.idsIn('core', 'uncore', uncore).slice(0, coresNeeded);
    const cpus = sorted(this.#free.cpusIn('core', ...cores));
    // The last core may have one more than an odd number needs.
    if (this.#needed % 2 !== 0 && cpusPerCore > 1 && cpus.length > this.#needed) cpus.pop();
    if (cpus.length === this.#needed) this.take(new Set(cpus));
  }

  /** Memory nodes with free processors, those with the fewest first. */
  nodes(): number[] {
    if (this.#top[0] === 'node') return this.#byFree('node', this.#free.idsOf('node'));
    return this.#sockets().flatMap((socket) =>
      this.#byFree('node', this.#free.idsIn('node', 'socket', socket)),
    );
  }

  #sockets(): number[] {
    if (this.#top[0] === 'socket') return this.#byFree('socket', this.#free.idsOf('socket'));
    return this.nodes().flatMap((node) => this.#byFree('socket', this.#free.idsIn('socket', 'node', node)));
  }

  #cores(): number[] {
    const smaller = this.#top[1];
    const groups = smaller === 'socket' ? this.#sockets() : this.nodes();
    return groups.flatMap((group) => this.#byFree('core', this.#free.idsIn('core', smaller, group)));
  }

  #uncoreCaches(): number[] {
    return this.nodes().flatMap((node) => this.#byFree('uncore', this.#free.idsIn('uncore', 'node', node)));
  }

  #singlesByCore(): number[] {
    return this.#cores().flatMap((core) => sorted(this.#free.cpusIn('core', core)));
  }

  #singlesBySocket(): number[] {
    return this.#sockets().flatMap((socket) => sorted(this.#free.cpusIn('socket', socket)));
  }

  /** Those with the fewest free processors first, of as many those of lower numbers. */
  #byFree(level: CpuLevel, ids: readonly number[]): number[] {
    const free = (id: number) => this.#free.countIn(level, id);
    return ids.toSorted((a, b) => free(a) - free(b) || a - b);
  }
}
