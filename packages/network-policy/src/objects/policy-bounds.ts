import type { NetworkPolicy } from '@wherry/kubeapi';
import type { AddressFamily } from '@wherry/linux';
import { limits } from '../limits.ts';
import { type AllowRule, type PolicyFacts, policyFactsOf } from './policy-facts.ts';

/**
 * Reads a policy as {@link policyFactsOf} does. One that has too much for a single step of the kernel, for which the rules of all pods of
 * the node wait, allows nothing; `excess` says what there is too much of.
 */
export function boundedFacts(
  policy: NetworkPolicy,
  family: AddressFamily,
): { facts: PolicyFacts; excess: string | undefined } {
  const facts = policyFactsOf(policy, family);
  const { ingress, egress } = facts;
  const excess = excessOf([...(ingress ?? []), ...(egress ?? [])]);
  if (excess === undefined) return { facts, excess };
  return { facts: { ...facts, ingress: ingress && [], egress: egress && [] }, excess };
}

function excessOf(rules: readonly AllowRule[]): string | undefined {
  const { policySetsMax, policyRulesMax } = limits;
  const ports = rules.flatMap((rule) => rule.ports ?? []);
  const sets = sum(rules.map(peersOf)) + ports.filter(({ name }) => name !== undefined).length;
  if (sets > policySetsMax)
    return `${sets} selectors, rules with blocks and names of ports, where one policy may have ${policySetsMax}`;
  const entries = rules.length + ports.length;
  return entries > policyRulesMax
    ? `${entries} rules and ports, where one policy may have ${policyRulesMax}`
    : undefined;
}

const peersOf = ({ peers }: AllowRule): number =>
  peers ? peers.selections.length + Math.sign(peers.ranges.length) : 0;

const sum = (counts: readonly number[]): number => counts.reduce((before, count) => before + count, 0);
