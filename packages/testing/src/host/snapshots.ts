import { limits } from '../limits.ts';

/** What is asked of the store: that of the API server. */
export interface SnapshotStore {
  range(options: { prefix: string }): Promise<{ items: readonly StoredObject[] }>;
  write(write: { key: string; value: string | null; expectedRevision?: number }): Promise<unknown>;
}

interface StoredObject {
  readonly key: string;
  readonly value: string;
  readonly modRevision: number;
}

/** All objects, and which events there were. */
interface Copy {
  readonly objects: ReadonlyMap<string, string>;
  readonly events: ReadonlySet<string>;
}

/**
 * Copies of all objects of one API server. A restore is a number of ordinary writes: revisions go on, watches stay and
 * see what changes, and uids are those of the copy. The nodes' own objects and leases are left out: who
 * writes them goes on writing. Of events only the later ones go; those of before stay as they are by then.
 */
export class Snapshots {
  readonly #store: SnapshotStore;
  readonly #own: readonly string[];
  readonly #kept = new Map<string, Copy>();
  #count = 0;

  /** `nodes` are the names of those whose kubelets write here. */
  constructor(store: SnapshotStore, nodes: readonly string[]) {
    this.#store = store;
    this.#own = nodes.flatMap((node) => [`/nodes/${node}`, `/leases/kube-node-lease/${node}`]);
  }

  /** Copies all objects. Throws where there are `limits.snapshotsMax` copies already. */
  async take(): Promise<{ snapshot: string; objects: number }> {
    if (this.#kept.size >= limits.snapshotsMax) {
      throw new Error(
        `there are ${limits.snapshotsMax} snapshots already; restore one of them again instead`,
      );
    }
    const { objects: present, events } = await this.#read();
    const objects = new Map(present.map(({ key, value }) => [key, value]));
    this.#count += 1;
    const snapshot = String(this.#count);
    this.#kept.set(snapshot, { objects, events: new Set(events.map(({ key }) => key)) });
    return { snapshot, objects: objects.size };
  }

  /** Makes the objects what they were. Repeated until nothing differs: controllers write meanwhile. */
  async restore(snapshot: string): Promise<{ changed: number }> {
    const copy = this.#kept.get(snapshot);
    if (!copy) throw new Error(`snapshot ${snapshot} is not one of this cluster`);
    let changed = 0;
    const { events } = await this.#read();
    const later = events.filter(({ key }) => !copy.events.has(key));
    for (const { key } of later) await this.#store.write({ key, value: null });
    for (let round = 0; round < roundsMax; round++) {
      const differing = differences((await this.#read()).objects, copy.objects);
      if (differing.length === 0) break;
      await Promise.all(differing.map((write) => this.#store.write(write).catch(ignoreConflict)));
      changed += differing.length;
    }
    return { changed };
  }

  async #read(): Promise<{ objects: StoredObject[]; events: StoredObject[] }> {
    const { items } = await this.#store.range({ prefix: '/' });
    const isEvent = ({ key }: StoredObject) => key.startsWith('/events/');
    return {
      objects: items.filter((item) => !this.#own.includes(item.key) && !isEvent(item)),
      events: items.filter(isEvent),
    };
  }
}

/** A controller that goes on writing ends a restore at some point: what it wants is then what is there. */
const roundsMax = 3;

function differences(now: readonly StoredObject[], wanted: ReadonlyMap<string, string>) {
  const present = new Map(now.map((object) => [object.key, object]));
  const gone = now.filter(({ key }) => !wanted.has(key)).map(({ key }) => ({ key, value: null }));
  const changed = [...wanted]
    .filter(([key, value]) => present.get(key)?.value !== value)
    .map(([key, value]) => ({ key, value, expectedRevision: present.get(key)?.modRevision ?? 0 }));
  return [...gone, ...changed];
}

/** Somebody wrote between the look and the write: the next round looks again. */
function ignoreConflict(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'conflict') throw error;
}
