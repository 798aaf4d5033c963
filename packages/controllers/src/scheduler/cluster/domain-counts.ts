import { ownValue } from '@wherry/kubeapi/objects';
import type { NodeView } from './node-view.ts';

/** Numbers by topology domain: a label's key and its value. Nothing is kept of a domain whose number is 0. */
export class DomainCounts {
  readonly #byKey = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** Adds to the domain of a node, if it has that label. */
  add({ labels }: NodeView, topologyKey: string, count: number): void {
    const value = ownValue(labels, topologyKey);
    if (value === undefined) return;
    const domains = this.#byKey.get(topologyKey) ?? new Map<string, number>();
    const total = (domains.get(value) ?? 0) + count;
    if (total === 0) domains.delete(value);
    else domains.set(value, total);
    if (domains.size > 0) this.#byKey.set(topologyKey, domains);
    else this.#byKey.delete(topologyKey);
  }

  /** The number of a node's domain; undefined when the node has no such label. */
  at({ labels }: NodeView, topologyKey: string): number | undefined {
    const value = ownValue(labels, topologyKey);
    return value === undefined ? undefined : (this.#byKey.get(topologyKey)?.get(value) ?? 0);
  }

  /** The numbers of all domains that the node is in. */
  *of({ labels }: NodeView): Iterable<number> {
    for (const [key, domains] of this.#byKey) {
      const value = ownValue(labels, key);
      const count = value === undefined ? undefined : domains.get(value);
      if (count !== undefined) yield count;
    }
  }
}
