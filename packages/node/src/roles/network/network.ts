import { createKubeClient } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { familyOf } from '@wherry/linux';
import { startNetworkPolicies } from '@wherry/network-policy';
import { startServiceProxy } from '@wherry/service-proxy';
import type { Logger } from '@wherry/telemetry';
import { clusterDnsIdentity } from '../cluster-dns-identity.ts';
import { rangesIn } from '../ranges-in.ts';
import { roleLogger, runUntilSignal, type Verbosity } from '../run-role.ts';
import { startNetworkDns } from './network-dns.ts';
import { NetworkPages, type NetworkPagesFlags } from './network-pages.ts';

/** Flags of `wherry network`, as commander hands them over. */
export interface NetworkFlags extends NetworkPagesFlags {
  kubeconfig: string;
  hostnameOverride: string;
  bridge: string;
  foreignBridges?: string;
  serviceClusterIpRange: string;
  podCidr: string;
  masqueradeAll?: boolean;
  networkPolicies?: boolean;
  clusterDns: string;
  clusterDomain: string;
  dnsBindAddress?: string;
  resolvConf: string;
}

/** What serves the cluster's network on this node. */
export interface Network {
  /** Ends it; rules that are in the kernel stay. */
  close(): Promise<void>;
}

/** How long the API server may refuse connections before a request fails: it may still be starting. */
const connectRetryMs = 5_000;

/** Starts the parts of the network, which share one client. */
export function startNetworkFrom(flags: NetworkFlags, logger: Logger): Network {
  const { kubeconfig, hostnameOverride: nodeName, bridge: bridgeName, foreignBridges } = flags;
  const client = createKubeClient({ kubeconfig, userAgent: 'wherry-network', connectRetryMs });
  const serviceCidrs = rangesIn(flags.serviceClusterIpRange);
  const podCidrs = rangesIn(flags.podCidr);
  const pages = new NetworkPages({ clock: systemClock, logger });
  const proxy = startServiceProxy({
    client,
    nodeName,
    bridgeName,
    foreignBridges,
    serviceCidrs,
    podCidrs,
    masqueradesAll: flags.masqueradeAll,
    metrics: pages.metrics,
    logger,
  });
  pages.serve(flags, proxy);
  const parts = [
    pages,
    proxy,
    ...(flags.networkPolicies === false
      ? []
      : [
          startNetworkPolicies({
            client,
            nodeName,
            bridgeName,
            families: podCidrs.map(familyOf),
            ...(flags.dnsBindAddress !== undefined && {
              dns: { ...clusterDnsIdentity, address: flags.dnsBindAddress },
            }),
            logger,
          }),
        ]),
    ...(flags.dnsBindAddress === undefined
      ? []
      : [startNetworkDns(client, { ...flags, dnsBindAddress: flags.dnsBindAddress }, logger)]),
  ];
  return {
    async close() {
      await Promise.all(parts.map((part) => part.close()));
      client.close();
    },
  };
}

/** Runs the network of a node until it is signalled. */
export async function network({ v, ...flags }: NetworkFlags & Verbosity): Promise<void> {
  const logger = roleLogger('network', v);
  const running = startNetworkFrom(flags, logger);
  await runUntilSignal(logger, () => running.close());
}
