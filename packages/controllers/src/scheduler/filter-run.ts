import type { ClusterState } from './cluster/cluster-state.ts';
import type { NodeRoom } from './cluster/node-room.ts';
import type { PodInfo } from './cluster/pod-info.ts';
import type { FilterPlugin, PodFilter, Refusal } from './filters/filter-plugin.ts';

/** Those of some filters with something to ask about one pod, made ready for the cluster as it is now. */
export class FilterRun {
  readonly info: PodInfo;
  /** Why there is no place at all. */
  readonly nowhere: string | undefined;
  /** The only nodes worth asking, and whose filters say so. */
  readonly only: { nodeNames: ReadonlySet<string>; by: readonly string[] } | undefined;
  /** The names of the filters that refused something. */
  readonly refusedBy = new Set<string>();
  readonly #cluster: ClusterState;
  readonly #asked: { name: string; filter: PodFilter }[] = [];

  constructor(info: PodInfo, cluster: ClusterState, filters: readonly FilterPlugin[]) {
    this.info = info;
    this.#cluster = cluster;
    const naming: { name: string; nodeNames: ReadonlySet<string> }[] = [];
    for (const { name, prepare } of filters) {
      const filter = prepare(info, cluster);
      if (!filter) continue;
      if ('message' in filter) {
        this.nowhere = filter.message;
        this.refusedBy.add(name);
        return;
      }
      this.#asked.push({ name, filter });
      if (filter.nodeNames) naming.push({ name, nodeNames: filter.nodeNames });
    }
    if (naming.length === 0) return;
    const nodeNames = naming.map((each) => each.nodeNames).reduce((a, b) => a.intersection(b));
    this.only = { nodeNames, by: naming.map(({ name }) => name) };
  }

  /**
   * Why the pod can't be on the node: neither beside those that are there, nor beside those of at least its priority that
   * wait for room there.
   */
  refusal(room: NodeRoom): Refusal | undefined {
    const { uid, priority } = this.info;
    const waiting = this.#cluster
      .nominatedTo(room.name)
      .filter((other) => other.priority >= priority && other.uid !== uid);
    if (waiting.length === 0) return this.#ask(room);
    const trial = room.copy();
    for (const other of waiting) this.suppose(other, trial, 1);
    const refusal = this.#ask(trial);
    for (const other of waiting) this.suppose(other, trial, -1);
    return refusal ?? this.#ask(room);
  }

  /** Adds another pod to a copy of a node's room (1) or takes it away (-1); the caller undoes it. */
  suppose(other: PodInfo, trial: NodeRoom, change: 1 | -1): void {
    if (change === 1) trial.add(other);
    else trial.remove(other);
    for (const { filter } of this.#asked) filter.suppose?.(other, trial, change);
  }

  #ask(room: NodeRoom): Refusal | undefined {
    for (const { name, filter } of this.#asked) {
      const refusal = filter.refusal(room);
      if (!refusal) continue;
      this.refusedBy.add(name);
      return refusal;
    }
    return undefined;
  }
}
