import { type AddressFamily, keyPart, type Share, WantedTable } from '@wherry/linux';
import { type DnsPeer, hasDns } from '../objects/dns-peer.ts';
import type { PodFacts } from '../objects/pod-facts.ts';
import type { PolicyFacts } from '../objects/policy-facts.ts';
import type { NamespaceLabels, Selection } from '../objects/selection.ts';
import { namedPortElement } from '../table/elements.ts';
import { namedPortSet, selectionSet, sets } from '../table/names.ts';
import { type PolicyChains, policyChains } from '../table/policy-chains.ts';
import { AddressOwners } from './address-owners.ts';
import { chainOfPods, type PodsChains, podShare } from './pod-share.ts';
import { SelectionIndex } from './selection-index.ts';
import { Users } from './users.ts';

/** What a plan is told beside objects. */
export interface PlanOptions {
  family: AddressFamily;
  bridgeName: string;
  dns: DnsPeer | undefined;
}

interface PlannedPolicy {
  facts: PolicyFacts;
  ingress: PolicyChains | undefined;
  egress: PolicyChains | undefined;
}

/**
 * What network policies make of a node's table. No clock, no kernel: objects come in, and {@link settle} brings
 * `wanted` to what they say, at the cost of what has changed.
 */
export class PolicyPlan {
  readonly wanted = new WantedTable();
  readonly #options: PlanOptions;
  readonly #pods = new Map<string, PodFacts>();
  readonly #owners = new AddressOwners();
  readonly #index = new SelectionIndex();
  readonly #policies = new Map<string, PlannedPolicy>();
  /** Policies by the selection of their pods; peers' selections and ports' names by who uses them. */
  readonly #targets = new Users();
  readonly #peers = new Users();
  readonly #portNames = new Users();
  readonly #podsWithPort = new Users();
  readonly #stale = new Set<string>();
  /** While shares are made: pods' chains by the selections that policies have them by. */
  readonly #chains = new Map<string, PodsChains>();

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  /** A namespace, with its labels; undefined when it is gone. */
  setNamespace(name: string, labels: NamespaceLabels): void {
    for (const pod of this.#index.setNamespace(name, labels)) this.#stale.add(pod);
    if (name !== this.#options.dns?.namespace) return;
    for (const [key, { facts }] of [...this.#policies]) this.setPolicy(key, facts);
  }

  /** A pod that has an address; undefined when it has none any more. */
  setPod(key: string, facts: PodFacts | undefined): void {
    const before = this.#pods.get(key);
    if (JSON.stringify(before) === JSON.stringify(facts)) return;
    if (facts) this.#pods.set(key, facts);
    else this.#pods.delete(key);
    for (const port of before?.ports ?? []) this.#podsWithPort.remove(namedPortSet(port), key);
    for (const port of facts?.ports ?? []) this.#podsWithPort.add(namedPortSet(port), key);
    this.#index.setPod(key, facts);
    for (const each of this.#owners.claim(key, before, facts)) this.#stale.add(each);
  }

  /** A policy, `namespace/name`; undefined when it is gone. */
  setPolicy(key: string, facts: PolicyFacts | undefined): void {
    const before = this.#policies.get(key);
    const now = facts && this.#planned(facts);
    if (now) {
      this.#enter(key, now);
      this.#policies.set(key, now);
    } else this.#policies.delete(key);
    if (before) this.#leave(key, before);
    this.wanted.set(`policy ${key}`, now && this.#shareOfPolicy(now));
  }

  /** Brings `wanted` to what all that is known says. */
  settle(): void {
    for (const key of this.#stale) this.wanted.set(`pod ${key}`, this.#shareOfPod(key));
    this.#stale.clear();
    this.#chains.clear();
    const bridge = keyPart.interfaceName(this.#options.bridgeName);
    const isClosed = this.#policies.size > 0;
    this.wanted.set('gate', isClosed ? { elements: [{ set: sets.closed, key: bridge }] } : undefined);
  }

  #planned(facts: PolicyFacts): PlannedPolicy {
    const { family, dns } = this.#options;
    const labels = dns && this.#index.labels(dns.namespace);
    const inSelection = (selection: Selection) => hasDns(selection, dns, labels);
    const { ingress, egress } = facts;
    return {
      facts,
      ingress: ingress && policyChains(facts, 'ingress', { family, rules: ingress, hasDns: inSelection }),
      egress: egress && policyChains(facts, 'egress', { family, rules: egress, hasDns: inSelection }),
    };
  }

  #enter(key: string, policy: PlannedPolicy): void {
    const { pods } = policy.facts;
    this.#index.use(pods);
    this.#targets.add(pods.id, key);
    this.#markMembers(pods);
    for (const { selections, portNames } of directionsOf(policy)) {
      for (const selection of selections) {
        this.#index.use(selection);
        if (this.#peers.add(selection.id, selectionSet(selection))) this.#markMembers(selection);
      }
      for (const port of portNames) {
        const name = namedPortSet(port);
        if (!this.#portNames.add(name, name)) continue;
        for (const pod of this.#podsWithPort.of(name)) this.#stale.add(pod);
      }
    }
  }

  /** What a policy was; what it has become has entered already. */
  #leave(key: string, before: PlannedPolicy): void {
    const { pods } = before.facts;
    this.#markMembers(pods);
    this.#targets.remove(pods.id, key);
    for (const { selections, portNames } of directionsOf(before)) {
      for (const selection of selections) {
        if (this.#peers.remove(selection.id, selectionSet(selection))) this.#markMembers(selection);
        this.#index.release(selection);
      }
      for (const port of portNames) {
        const name = namedPortSet(port);
        if (!this.#portNames.remove(name, name)) continue;
        for (const pod of this.#podsWithPort.of(name)) this.#stale.add(pod);
      }
    }
    this.#index.release(pods);
  }

  #markMembers({ id }: Selection): void {
    for (const pod of this.#index.members(id)) this.#stale.add(pod);
  }

  #shareOfPolicy(policy: PlannedPolicy): Share {
    const directions = directionsOf(policy);
    const { dns } = this.#options;
    const names = new Set(directions.flatMap(({ portNames }) => portNames.map(namedPortSet)));
    const ports = (dns?.ports ?? []).filter((port) => names.has(namedPortSet(port)));
    return {
      chains: directions.flatMap(({ chains }) => chains),
      sets: directions.flatMap((each) => each.sets),
      elements: dns ? ports.map((port) => namedPortElement(dns.address, port)) : [],
    };
  }

  #shareOfPod(key: string): Share | undefined {
    const facts = this.#pods.get(key);
    if (!facts || !this.#owners.has(key, facts)) return undefined;
    const selections = [...this.#index.of(key)];
    return podShare(facts, {
      chains: this.#chainsOf(selections.filter((id) => this.#targets.has(id)).sort()),
      peerSets: selections.flatMap((id) => [...this.#peers.of(id)]),
      ports: facts.ports.filter((port) => this.#portNames.has(namedPortSet(port))),
    });
  }

  #chainsOf(targets: readonly string[]): PodsChains {
    const id = targets.join('\n');
    const found = this.#chains.get(id);
    if (found) return found;
    const policies = targets
      .flatMap((target) => [...this.#targets.of(target)])
      .flatMap((key) => this.#policies.get(key) ?? []);
    const ingress = policies.flatMap((policy) => policy.ingress?.name ?? []);
    const egress = policies.flatMap((policy) => policy.egress?.name ?? []);
    const made = { ingress: chainOfPods('ingress', ingress), egress: chainOfPods('egress', egress) };
    this.#chains.set(id, made);
    return made;
  }
}

const directionsOf = ({ ingress, egress }: PlannedPolicy): PolicyChains[] =>
  [ingress, egress].filter((each) => each !== undefined);
