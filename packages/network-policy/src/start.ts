import { Informer, type KubeClient, kinds } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import type { NetworkPolicy } from '@wherry/kubeapi';
import { type AddressFamily, familyOf } from '@wherry/linux';
import { type Logger, silentLogger } from '@wherry/telemetry';
import type { DnsPeer } from './objects/dns-peer.ts';
import { type ChangedPolicy, NamespacePolicies } from './objects/namespace-policies.ts';
import { podFactsOf } from './objects/pod-facts.ts';
import { PolicyPlan } from './plan/policy-plan.ts';
import { keepPolicies } from './policy-keeper.ts';
import { KernelTable } from './table/kernel-table.ts';
import { tableOf } from './table/names.ts';

/** What network policies need. */
export interface NetworkPolicyOptions {
  /** Acts as a user who may list and watch pods, namespaces and network policies. */
  client: KubeClient;
  /** The node that this machine is. */
  nodeName: string;
  /** The bridge that the node's pods are plugged into, which lets none pass for another. */
  bridgeName: string;
  /** Which families pods have addresses of: rules are kept for each. Default: IPv4. */
  families?: readonly AddressFamily[] | undefined;
  /** The cluster's DNS, where it is on this machine. */
  dns?: DnsPeer | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}

/** The enforcement of a node's network policies. */
export interface NetworkPolicies {
  /** Ends it. The rules stay in the kernel, where they go on working; a later start takes them over. */
  close(): Promise<void>;
}

/** Begins to enforce. What the kernel refuses is told once, and tried again. */
export function startNetworkPolicies(options: NetworkPolicyOptions): NetworkPolicies {
  const { client, nodeName, bridgeName, families = ['ip'], clock = systemClock } = options;
  const { logger = silentLogger } = options;
  const pods = new Informer({ resource: client.resource(kinds.pods), clock });
  const namespaces = new Informer({ resource: client.resource(kinds.namespaces), clock });
  const policies = new Informer({ resource: client.resource(kinds.networkPolicies), clock });
  const informers = [pods, namespaces, policies];
  const isComplete = () => informers.every(({ hasSynced }) => hasSynced);
  const kept = families.map((family) => {
    const dns = options.dns && familyOf(options.dns.address) === family ? options.dns : undefined;
    const plan = new PolicyPlan({ family, bridgeName, dns });
    const table = new KernelTable({ family, table: tableOf(bridgeName), bridgeName, dns });
    return { family, plan, keeper: keepPolicies({ table, plan, isComplete, clock, logger }) };
  });
  const look = () => {
    for (const { keeper } of kept) keeper.look();
  };
  const failed = (error: Error) => logger.debug('a watch failed and will be tried again', { error });
  type Change<T> = (plan: PolicyPlan, object: T, family: AddressFamily) => void;
  const handlers = <T>(put: Change<T>, drop: Change<T>) => {
    const after = (change: Change<T>) => (object: T) => {
      for (const { plan, family } of kept) change(plan, object, family);
      look();
    };
    return {
      ...{ added: after(put), updated: after(put), deleted: after(drop), failed },
      synced: look,
    };
  };
  namespaces.on(
    handlers(
      (plan, { metadata }) => plan.setNamespace(metadata?.name ?? '', metadata?.labels ?? {}),
      (plan, { metadata }) => plan.setNamespace(metadata?.name ?? '', undefined),
    ),
  );
  const keyOf = ({ metadata }: { metadata?: { namespace?: string; name?: string } | undefined }) =>
    `${metadata?.namespace}/${metadata?.name}`;
  pods.on(
    handlers(
      (plan, pod, family) => plan.setPod(keyOf(pod), podFactsOf(pod, nodeName, family)),
      (plan, pod) => plan.setPod(keyOf(pod), undefined),
    ),
  );
  const bounded = new Map(families.map((family) => [family, new NamespacePolicies(family)]));
  const follow = (plan: PolicyPlan, changes: readonly ChangedPolicy[] = []) => {
    for (const { key, facts, excess } of changes) {
      if (excess !== undefined)
        logger.error(`a network policy allows nothing, since it has ${excess}`, { policy: key });
      plan.setPolicy(key, facts);
    }
  };
  policies.on(
    handlers<NetworkPolicy>(
      (plan, policy, family) => follow(plan, bounded.get(family)?.set(policy)),
      (plan, policy, family) => follow(plan, bounded.get(family)?.remove(policy)),
    ),
  );
  for (const informer of informers) informer.start();
  look();
  return {
    async close() {
      await Promise.all(informers.map((informer) => informer.close()));
      await Promise.all(kept.map(({ keeper }) => keeper.close()));
    },
  };
}
