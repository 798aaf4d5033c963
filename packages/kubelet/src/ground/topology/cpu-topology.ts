import { type CpuSet, sorted } from '../../pod/cpu-set.ts';
import type { MachineTopology } from './machine-topology.ts';

/** What a processor is part of, from the smallest to the largest; which of the last two is larger depends on the machine. */
export type CpuLevel = 'core' | 'uncore' | 'socket' | 'node';

/** Where a processor is. A core goes by its lowest processor, a cache that nobody told of by its socket. */
export type CpuPlace = Readonly<Record<CpuLevel, number>>;

/** Some processors of a machine, and where they are. */
export class CpuPool {
  readonly places: ReadonlyMap<number, CpuPlace>;
  readonly #members = new Map<CpuLevel, ReadonlyMap<number, ReadonlySet<number>>>();

  constructor(places: ReadonlyMap<number, CpuPlace>) {
    this.places = places;
  }

  get cpus(): Set<number> {
    return new Set(this.places.keys());
  }

  get size(): number {
    return this.places.size;
  }

  /** Those of them that are in the set. */
  only(cpus: CpuSet): CpuPool {
    return new CpuPool(new Map([...this.places].filter(([cpu]) => cpus.has(cpu))));
  }

  /** Numbers of the nodes, sockets, caches or cores that have any of them, in order. */
  idsOf(level: CpuLevel): number[] {
    return sorted(this.#membersOf(level).keys());
  }

  /** The processors of a node, socket, cache or core, or of several. */
  cpusIn(level: CpuLevel, ...ids: readonly number[]): Set<number> {
    const members = this.#membersOf(level);
    return new Set(ids.flatMap((id) => [...(members.get(id) ?? [])]));
  }

  countIn(level: CpuLevel, id: number): number {
    return this.#membersOf(level).get(id)?.size ?? 0;
  }

  /** Numbers of the parts of one level that have processors in that part of another, in order. */
  idsIn(level: CpuLevel, of: CpuLevel, id: number): number[] {
    const cpus = [...(this.#membersOf(of).get(id) ?? [])];
    return sorted(new Set(cpus.flatMap((cpu) => this.places.get(cpu)?.[level] ?? [])));
  }

  #membersOf(level: CpuLevel): ReadonlyMap<number, ReadonlySet<number>> {
    const known = this.#members.get(level);
    if (known) return known;
    const members = new Map<number, Set<number>>();
    for (const [cpu, place] of this.places) {
      const among = members.get(place[level]) ?? new Set();
      members.set(place[level], among.add(cpu));
    }
    this.#members.set(level, members);
    return members;
  }
}

/** All processors of a machine. */
export class CpuTopology extends CpuPool {
  readonly sockets: number;
  readonly #cores: number;

  constructor({ nodes, sockets }: MachineTopology) {
    const cores = nodes.flatMap((node) => node.cores.map((core) => ({ node: node.id, core })));
    super(
      new Map(
        cores.flatMap(({ node, core: { socket, threads, uncoreCache } }) => {
          const place = { node, socket, uncore: uncoreCache ?? socket, core: Math.min(...threads) };
          return threads.map((cpu) => [cpu, place] as const);
        }),
      ),
    );
    this.sockets = sockets;
    this.#cores = cores.length;
  }

  /** How many processors a core has, where all have as many. */
  get cpusPerCore(): number {
    return wholePart(this.size, this.#cores);
  }

  get cpusPerSocket(): number {
    return wholePart(this.size, this.sockets);
  }

  get cpusPerUncore(): number {
    return wholePart(this.size, this.idsOf('uncore').length);
  }
}

const wholePart = (whole: number, parts: number) => (parts === 0 ? 0 : Math.floor(whole / parts));
