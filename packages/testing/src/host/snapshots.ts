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

/**
 * Copies of all objects of one API server. A restore is a number of ordinary writes: revisions go on, watches stay and
 * see what changes, and uids are those of the copy. The nodes' own objects and leases, and all events, are left out: who
 * writes them goes on writing.
 */
export class Snapshots {
  readonly #store: SnapshotStore;
  readonly #own: readonly string[];
  readonly #kept = new Map<string, ReadonlyMap<string, string>>();
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
    const objects = new Map((await this.#objects()).map(({ key, value }) => [key, value]));
    this.#count += 1;
    const snapshot = String(this.#count);
    this.#kept.set(snapshot, objects);
    return { snapshot, objects: objects.size };
  }

  /** Makes the objects what they were. Repeated until nothing differs: controllers write meanwhile. */
  async restore(snapshot: string): Promise<{ changed: number }> {
    const wanted = this.#kept.get(snapshot);
    if (!wanted) throw new Error(`snapshot ${snapshot} is not one of this cluster`);
    let changed = 0;
    for (let round = 0; round < roundsMax; round++) {
      const differing = differences(await this.#objects(), wanted);
      if (differing.length === 0) break;
      await Promise.all(differing.map((write) => this.#store.write(write).catch(ignoreConflict)));
      changed += differing.length;
    }
    return { changed };
  }

  async #objects(): Promise<StoredObject[]> {
    const { items } = await this.#store.range({ prefix: '/' });
    return items.filter(({ key }) => !this.#own.includes(key) && !key.startsWith('/events/'));
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
