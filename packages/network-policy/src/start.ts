import { Informer, type KubeClient, kinds } from '@wherry/client';
import { type Clock, systemClock } from '@wherry/clock';
import { type Logger, silentLogger } from '@wherry/telemetry';
import type { DnsPeer } from './objects/dns-peer.ts';
import { podFactsOf } from './objects/pod-facts.ts';
import { policyFactsOf } from './objects/policy-facts.ts';
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
  const { client, nodeName, bridgeName, dns, clock = systemClock, logger = silentLogger } = options;
  const plan = new PolicyPlan({ bridgeName, dns });
  const table = new KernelTable({ table: tableOf(bridgeName), bridgeName, dns });
  const pods = new Informer({ resource: client.resource(kinds.pods), clock });
  const namespaces = new Informer({ resource: client.resource(kinds.namespaces), clock });
  const policies = new Informer({ resource: client.resource(kinds.networkPolicies), clock });
  const informers = [pods, namespaces, policies];
  const isComplete = () => informers.every(({ hasSynced }) => hasSynced);
  const keeper = keepPolicies({ table, plan, isComplete, clock, logger });
  const failed = (error: Error) => logger.debug('a watch failed and will be tried again', { error });
  const handlers = <T>(put: (object: T) => void, drop: (object: T) => void) => {
    const after = (change: (object: T) => void) => (object: T) => {
      change(object);
      keeper.look();
    };
    return {
      ...{ added: after(put), updated: after(put), deleted: after(drop), failed },
      synced: () => keeper.look(),
    };
  };
  namespaces.on(
    handlers(
      ({ metadata }) => plan.setNamespace(metadata?.name ?? '', metadata?.labels ?? {}),
      ({ metadata }) => plan.setNamespace(metadata?.name ?? '', undefined),
    ),
  );
  const keyOf = ({ metadata }: { metadata?: { namespace?: string; name?: string } | undefined }) =>
    `${metadata?.namespace}/${metadata?.name}`;
  pods.on(
    handlers(
      (pod) => plan.setPod(keyOf(pod), podFactsOf(pod, nodeName)),
      (pod) => plan.setPod(keyOf(pod), undefined),
    ),
  );
  policies.on(
    handlers(
      (policy) => plan.setPolicy(keyOf(policy), policyFactsOf(policy)),
      (policy) => plan.setPolicy(keyOf(policy), undefined),
    ),
  );
  for (const informer of informers) informer.start();
  keeper.look();
  return {
    async close() {
      await Promise.all(informers.map((informer) => informer.close()));
      await keeper.close();
    },
  };
}
