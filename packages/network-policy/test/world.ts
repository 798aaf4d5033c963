import assert from 'node:assert/strict';
import type { NetworkPolicy, NetworkPolicySpec, Pod } from '@wherry/kubeapi';
import type { AddressFamily } from '@wherry/linux';
import type { DnsPeer } from '../src/objects/dns-peer.ts';
import { NamespacePolicies } from '../src/objects/namespace-policies.ts';
import { podFactsOf } from '../src/objects/pod-facts.ts';
import { PolicyPlan } from '../src/plan/policy-plan.ts';
import { namedPortElement } from '../src/table/elements.ts';
import { Judge, type Packet } from './judge.ts';

export const node = 'here';

export const dns: DnsPeer = {
  address: '10.0.0.1',
  namespace: 'kube-system',
  labels: { 'k8s-app': 'kube-dns' },
  ports: [
    { name: 'dns', protocol: 'UDP', port: 53 },
    { name: 'dns-tcp', protocol: 'TCP', port: 53 },
  ],
};

/** A pod in a few words. */
export interface PodWords {
  namespace?: string;
  labels?: Record<string, string>;
  ports?: { name: string; containerPort: number }[];
  nodeName?: string;
  hostNetwork?: boolean;
  phase?: 'Running' | 'Succeeded';
  created?: string;
}

export function podOf(address: string, words: PodWords = {}): Pod {
  const { namespace = 'default', labels = {}, ports = [], nodeName = node, hostNetwork = false } = words;
  const { phase = 'Running', created = '2026-01-01T00:00:00Z' } = words;
  return {
    metadata: { namespace, name: 'pod', labels, creationTimestamp: created },
    spec: { nodeName, hostNetwork, containers: [{ name: 'main', ports }] },
    status: { phase, podIP: address.split(' ')[0] ?? '', podIPs: address.split(' ').map((ip) => ({ ip })) },
  };
}

/** Objects, the plan that they make, and what the kernel does then. */
export class World {
  readonly family: AddressFamily;
  readonly plan: PolicyPlan;
  readonly judge: Judge;
  readonly #local = new Map<string, boolean>();
  readonly #policies: NamespacePolicies;

  constructor(namespaces: Record<string, Record<string, string>> = {}, family: AddressFamily = 'ip') {
    const peer = family === 'ip' ? dns : undefined;
    this.family = family;
    this.#policies = new NamespacePolicies(family);
    this.plan = new PolicyPlan({ family, bridgeName: 'br0', dns: peer });
    this.judge = new Judge(
      (peer?.ports ?? []).map((port) => namedPortElement(dns.address, port).key),
      family,
    );
    for (const [name, labels] of Object.entries({ default: {}, 'kube-system': {}, ...namespaces }))
      this.plan.setNamespace(name, { 'kubernetes.io/metadata.name': name, ...labels });
  }

  pod(key: string, address: string, words: PodWords = {}): this {
    this.plan.setPod(key, podFactsOf(podOf(address, words), node, this.family));
    const isLocal = (words.nodeName ?? node) === node && !words.hostNetwork;
    for (const each of address.split(' ')) this.#local.set(each, isLocal);
    return this;
  }

  policy(name: string, spec: NetworkPolicySpec, namespace = 'default'): this {
    const policy: NetworkPolicy = { metadata: { namespace, name }, spec };
    for (const { key, facts } of this.#policies.set(policy)) this.plan.setPolicy(key, facts);
    return this;
  }

  withoutPolicy(name: string, namespace = 'default'): this {
    const changes = this.#policies.remove({ metadata: { namespace, name }, spec: {} } as NetworkPolicy);
    for (const { key, facts } of changes) this.plan.setPolicy(key, facts);
    return this;
  }

  /** Brings the judge to what the plan wants; gives how many elements, chains and sets that changed. */
  settle(): number {
    this.plan.settle();
    const difference = this.plan.wanted.change();
    if (!difference) return 0;
    this.judge.apply(difference.change);
    difference.done();
    return Object.values(difference.change).reduce((sum, list) => sum + (list?.length ?? 0), 0);
  }

  passes(from: string, to: string, port = 80, protocol: Packet['protocol'] = 'TCP'): boolean {
    this.settle();
    return this.judge.passes({ from, to, port, protocol }, (address) => this.#local.get(address) ?? false);
  }

  /** Of these senders those who pass. */
  from(senders: readonly string[], to: string, port = 80, protocol: Packet['protocol'] = 'TCP'): string[] {
    return senders.filter((sender) => this.passes(sender, to, port, protocol));
  }

  /** Of these receivers those who are reached. */
  to(
    sender: string,
    receivers: readonly string[],
    port = 80,
    protocol: Packet['protocol'] = 'TCP',
  ): string[] {
    return receivers.filter((receiver) => this.passes(sender, receiver, port, protocol));
  }

  same(other: World): void {
    assert.deepEqual(this.judge.content, other.judge.content);
  }
}
