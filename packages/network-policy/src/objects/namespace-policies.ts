import type { NetworkPolicy } from '@wherry/kubeapi';
import type { AddressFamily } from '@wherry/linux';
import { limits } from '../limits.ts';
import { allowingNothing, type BoundedPolicy, boundedFacts } from './policy-bounds.ts';
import type { PolicyFacts } from './policy-facts.ts';

/** A policy that is enforced otherwise than before; undefined facts: no more. */
export interface ChangedPolicy {
  key: string;
  facts: PolicyFacts | undefined;
  /** What there is too much of, where it allows nothing for that. */
  excess?: string | undefined;
}

interface Member extends BoundedPolicy {
  /** The older ones go first. */
  rank: string;
  isShut: boolean;
}

/**
 * Policies by namespace, each of which has so many sets of the kernel: what one has more makes the next policy of all take longer. The
 * latest policies that are too many allow nothing until there is room for them.
 */
export class NamespacePolicies {
  readonly #family: AddressFamily;
  readonly #namespaces = new Map<string, Map<string, Member>>();

  constructor(family: AddressFamily) {
    this.#family = family;
  }

  /** A policy is there, or another than before. */
  set(policy: NetworkPolicy): ChangedPolicy[] {
    const { namespace = '', name = '', creationTimestamp = '' } = policy.metadata;
    const key = `${namespace}/${name}`;
    const members = this.#namespaces.get(namespace) ?? new Map<string, Member>();
    this.#namespaces.set(namespace, members);
    const member = {
      ...boundedFacts(policy, this.#family),
      rank: `${creationTimestamp} ${name}`,
      isShut: false,
    };
    members.set(key, member);
    const others = share(members).filter((changed) => changed.key !== key);
    return [...others, shown(key, member)];
  }

  /** A policy is gone. */
  remove({ metadata: { namespace = '', name = '' } }: NetworkPolicy): ChangedPolicy[] {
    const key = `${namespace}/${name}`;
    const members = this.#namespaces.get(namespace);
    members?.delete(key);
    if (members?.size === 0) this.#namespaces.delete(namespace);
    return [{ key, facts: undefined }, ...(members ? share(members) : [])];
  }
}

/** Gives each its sets, the oldest first, and answers those that have them now or lost them. */
function share(members: ReadonlyMap<string, Member>): ChangedPolicy[] {
  let left: number = limits.namespaceSetsMax;
  const changed: ChangedPolicy[] = [];
  const total = [...members.values()].reduce((sum, { sets }) => sum + sets, 0);
  const byAge =
    total <= left
      ? [...members]
      : [...members].sort(([, one], [, other]) => (one.rank < other.rank ? -1 : 1));
  for (const [key, member] of byAge) {
    const isShut = member.sets > left;
    if (!isShut) left -= member.sets;
    if (member.isShut === isShut) continue;
    member.isShut = isShut;
    changed.push(shown(key, member));
  }
  return changed;
}

function shown(key: string, { facts, excess, isShut }: Member): ChangedPolicy {
  if (!isShut) return { key, facts, excess };
  const most = limits.namespaceSetsMax;
  return {
    key,
    facts: allowingNothing(facts),
    excess: `more selectors, rules with blocks and names of ports than are left of the ${most} of its namespace`,
  };
}
