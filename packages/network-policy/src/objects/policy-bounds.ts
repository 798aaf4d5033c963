import type { NetworkPolicy } from '@wherry/kubeapi';
import type { AddressFamily } from '@wherry/linux';
import { limits } from '../limits.ts';
import { type AllowRule, type PolicyFacts, policyFactsOf } from './policy-facts.ts';

/** A policy as it is enforced. */
export interface BoundedPolicy {
  facts: PolicyFacts;
  /** What there is too much of; then it allows nothing. */
  excess: string | undefined;
  /** How many sets of the kernel it needs. */
  sets: number;
}

/**
 * Reads a policy as {@link policyFactsOf} does. One that has too much for a single step of the kernel, for which the rules of all pods of
 * the node wait, allows nothing.
 */
export function boundedFacts(policy: NetworkPolicy, family: AddressFamily): BoundedPolicy {
  const facts = policyFactsOf(policy, family);
  const rules = [...(facts.ingress ?? []), ...(facts.egress ?? [])];
  const sets = setsOf(rules);
  const excess = excessOf(rules, sets);
  return excess === undefined ? { facts, excess, sets } : { facts: allowingNothing(facts), excess, sets: 0 };
}

/** The same pods, none of which may do anything in the directions that the policy is about. */
export const allowingNothing = (facts: PolicyFacts): PolicyFacts => ({
  ...facts,
  ingress: facts.ingress && [],
  egress: facts.egress && [],
});

function setsOf(rules: readonly AllowRule[]): number {
  const names = rules.flatMap((rule) => rule.ports ?? []).filter(({ name }) => name !== undefined);
  return sum(rules.map(peersOf)) + names.length;
}

function excessOf(rules: readonly AllowRule[], sets: number): string | undefined {
  const { policySetsMax, policyRulesMax } = limits;
  if (sets > policySetsMax)
    return `${sets} selectors, rules with blocks and names of ports, where one policy may have ${policySetsMax}`;
  const entries = sum(rules.map(({ ports = [] }) => 1 + ports.length));
  return entries > policyRulesMax
    ? `${entries} rules and ports, where one policy may have ${policyRulesMax}`
    : undefined;
}

const peersOf = ({ peers }: AllowRule): number =>
  peers ? peers.selections.length + Math.sign(peers.ranges.length) : 0;

const sum = (counts: readonly number[]): number => counts.reduce((before, count) => before + count, 0);
