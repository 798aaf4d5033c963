import type { PodFacts } from '../objects/pod-facts.ts';

/**
 * Which pod has an address. Two may say so: one that is gone, whose kubelet has not told yet, and the next one, which is
 * the later one. One of this node goes before others, since what comes to the address comes to it.
 */
export class AddressOwners {
  readonly #claims = new Map<string, Map<string, PodFacts>>();

  /** A pod says that it has the address of its facts, in place of that of earlier ones. Gives all whose address it may be. */
  claim(key: string, before: PodFacts | undefined, now: PodFacts | undefined): string[] {
    const left = before && this.#claims.get(before.address);
    left?.delete(key);
    if (before && left?.size === 0) this.#claims.delete(before.address);
    const joined = now && (this.#claims.get(now.address) ?? new Map<string, PodFacts>());
    if (now && joined) this.#claims.set(now.address, joined.set(key, now));
    return [key, ...(left?.keys() ?? []), ...(joined?.keys() ?? [])];
  }

  /** Whether the address is this pod's. */
  has(key: string, { address }: PodFacts): boolean {
    const claims = [...(this.#claims.get(address) ?? [])];
    const [owner] = claims.length > 1 ? claims.sort(byRank) : claims;
    return owner?.[0] === key;
  }
}

type Claim = [key: string, facts: PodFacts];

function byRank([oneKey, one]: Claim, [otherKey, other]: Claim): number {
  if (one.isLocal !== other.isLocal) return one.isLocal ? -1 : 1;
  if (one.created !== other.created) return one.created > other.created ? -1 : 1;
  return oneKey < otherKey ? -1 : 1;
}
