import type { PodFacts } from '../objects/pod-facts.ts';

/**
 * Which pod has an address. Two may say so: one that is gone, whose kubelet has not told yet, and the next one, which is
 * the later one. One of this node goes before others, since what comes to the address comes to it.
 */
export class AddressOwners {
  readonly #claims = new Map<string, Map<string, PodFacts>>();
  readonly #owners = new Map<string, string>();

  /**
   * A pod says that it has the address of its facts, in place of that of earlier ones. Gives all for whom something is other than before:
   * of thousands that say that they have one address (a kubelet may write what it likes) no more than three.
   */
  claim(key: string, before: PodFacts | undefined, now: PodFacts | undefined): Set<string> {
    const changed = new Set([key]);
    if (before) {
      const left = this.#claims.get(before.address);
      left?.delete(key);
      if (left?.size === 0) this.#claims.delete(before.address);
    }
    if (now) {
      const joined = this.#claims.get(now.address) ?? new Map<string, PodFacts>();
      this.#claims.set(now.address, joined.set(key, now));
    }
    for (const address of new Set([before, now].flatMap((facts) => facts?.address ?? []))) {
      for (const owner of this.#decide(address)) changed.add(owner);
    }
    return changed;
  }

  /** Whether the address is this pod's. */
  has(key: string, { address }: PodFacts): boolean {
    return this.#owners.get(address) === key;
  }

  /** Finds out whose an address is; gives whose it was and is, where these are two. */
  #decide(address: string): string[] {
    const before = this.#owners.get(address);
    let owner: Claim | undefined;
    for (const claim of this.#claims.get(address) ?? []) {
      if (!owner || byRank(claim, owner) < 0) owner = claim;
    }
    if (owner) this.#owners.set(address, owner[0]);
    else this.#owners.delete(address);
    return [before, owner?.[0]].filter((each) => each !== undefined && before !== owner?.[0]) as string[];
  }
}

type Claim = [key: string, facts: PodFacts];

function byRank([oneKey, one]: Claim, [otherKey, other]: Claim): number {
  if (one.isLocal !== other.isLocal) return one.isLocal ? -1 : 1;
  if (one.created !== other.created) return one.created > other.created ? -1 : 1;
  return oneKey < otherKey ? -1 : 1;
}
