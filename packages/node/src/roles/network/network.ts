import { createKubeClient, inClusterAccess, KubeClient } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { familyOf } from '@wherry/linux';
import { startNetworkPolicies } from '@wherry/network-policy';
import { type LocalTraffic, startServiceProxy } from '@wherry/service-proxy';
import type { Logger } from '@wherry/telemetry';
import { NodeError } from '../../errors.ts';
import { clusterDnsIdentity } from '../cluster-dns-identity.ts';
import type { ProxyFlags } from '../flags/nodes/proxy-flags.ts';
import type { ShownFlags } from '../flags/shown-flags.ts';
import { rangesIn } from '../ranges-in.ts';
import { roleLogger, runUntilSignal } from '../run-role.ts';
import { nodeRanges, serviceRanges } from './cluster-ranges.ts';
import { type ProxySettings, proxySettingsOf } from './configuration/proxy-settings.ts';
import {
  type ReadConfiguration,
  readProxyConfiguration,
  writtenProxyConfiguration,
} from './configuration/read-configuration.ts';
import { startNetworkDns } from './network-dns.ts';
import { NetworkPages } from './network-pages.ts';

/** Flags of `wherry network`, as commander hands them over. */
export interface NetworkFlags extends ProxyFlags, ShownFlags {
  config?: string;
  writeConfigTo?: string;
  bridge: string;
  foreignBridges?: string;
  serviceClusterIpRange?: string;
  podCidr?: string;
  networkPolicies?: boolean;
  clusterDns: string;
  clusterDomain: string;
  dnsBindAddress?: string;
  resolvConf: string;
}

/** What serves the cluster's network on this node. */
export interface Network {
  /** Resolves when it can't go on; else never. */
  failed: Promise<Error>;
  /** Ends it; rules that are in the kernel stay. */
  close(): Promise<void>;
}

/** How long the API server may refuse connections before a request fails: it may still be starting. */
const connectRetryMs = 5_000;
const usualServiceRange = '10.96.0.0/16';

/** Starts the parts of the network, which share one client. Throws what is wrong with the flags or their file. */
export function startNetworkFrom(flags: NetworkFlags, logger: Logger): Promise<Network> {
  return startNetwork(flags, readProxyConfiguration(flags.config, flags), logger);
}

async function startNetwork(
  flags: NetworkFlags,
  { configuration, warnings }: ReadConfiguration,
  logger: Logger,
): Promise<Network> {
  const isFromFile = flags.config !== undefined;
  const { bridge: bridgeName, foreignBridges } = flags;
  const settings = proxySettingsOf(configuration, isFromFile);
  const { nodeName } = settings;
  for (const warning of warnings) logger.warn('a setting has no effect', { warning });
  const podCidrs = flags.podCidr === undefined ? settings.podCidrs : rangesIn(flags.podCidr);
  if (podCidrs.length === 0 && !isFromFile)
    throw new NodeError('bad-settings', 'give --pod-cidr, or clusterCIDR in a file of --config');
  const client = clientOf(settings);
  const asking = { client, clock: systemClock, logger };
  const serviceCidrs =
    isFromFile && flags.serviceClusterIpRange === undefined
      ? await serviceRanges(asking)
      : rangesIn(flags.serviceClusterIpRange ?? usualServiceRange);
  const localTraffic: LocalTraffic | undefined =
    settings.localTraffic === 'node-ranges'
      ? { ranges: await nodeRanges(asking, nodeName) }
      : settings.localTraffic;
  const pages = new NetworkPages({ clock: systemClock, logger });
  const proxy = startServiceProxy({
    ...{ client, nodeName, bridgeName, foreignBridges, serviceCidrs, podCidrs, localTraffic },
    nodeAddress: settings.nodeAddress,
    nodePortAddresses: settings.nodePortAddresses,
    masqueradesAll: settings.masqueradesAll,
    metrics: pages.metrics,
    logger,
  });
  pages.serve({ ...settings.pages, flags: flags.flags }, proxy);
  const { dnsBindAddress } = flags;
  const parts = [
    pages,
    proxy,
    ...((flags.networkPolicies ?? !isFromFile)
      ? [
          startNetworkPolicies({
            client,
            nodeName,
            bridgeName,
            families: podCidrs.map(familyOf),
            ...(dnsBindAddress !== undefined && {
              dns: { ...clusterDnsIdentity, address: dnsBindAddress },
            }),
            logger,
          }),
        ]
      : []),
    ...(dnsBindAddress === undefined
      ? []
      : [
          startNetworkDns(
            client,
            { ...flags, dnsBindAddress, nodeName, ranges: [...podCidrs, ...serviceCidrs] },
            logger,
          ),
        ]),
  ];
  return {
    failed: pages.failed,
    async close() {
      await Promise.all(parts.map((part) => part.close()));
      client.close();
    },
  };
}

function clientOf({ kubeconfig }: ProxySettings): KubeClient {
  const userAgent = 'wherry-network';
  if (kubeconfig !== undefined) return createKubeClient({ kubeconfig, userAgent, connectRetryMs });
  const access = inClusterAccess();
  if (access) return new KubeClient({ access, userAgent, connectRetryMs });
  throw new NodeError(
    'bad-settings',
    'give --kubeconfig, or clientConnection.kubeconfig in the file of --config: this is no pod with an account',
  );
}

/** Runs the network of a node until it is signalled; or writes what its configuration comes to. */
export async function network({ v, ...flags }: NetworkFlags & { v?: number }): Promise<void> {
  const { config, writeConfigTo } = flags;
  const read = readProxyConfiguration(config, flags);
  if (writeConfigTo !== undefined) {
    const { writeConfiguration } = await import('./configuration/write-configuration.ts');
    writeConfiguration(writeConfigTo, writtenProxyConfiguration(read.configuration));
    return;
  }
  const logger = roleLogger('network', v ?? (read.configuration.logging.verbosity || usualVerbosity));
  using watching = new DisposableStack();
  const reasons: Promise<string>[] = [];
  if (config !== undefined) {
    const { configurationChange } = await import('./configuration/configuration-watch.ts');
    const ending = watching.adopt(new AbortController(), (controller) => controller.abort());
    reasons.push(configurationChange(config, ending.signal));
  }
  if (read.said.size > 0) {
    const { setMachine } = await import('./machine-settings.ts');
    setMachine(read.configuration, { said: read.said, logger });
  }
  const running = await startNetwork(flags, read, logger);
  reasons.push(running.failed.then(({ message }) => message));
  const failed = Promise.race(reasons).then((reason) => {
    logger.error('the network ends', { reason });
    process.exitCode = 1;
    return reason;
  });
  await runUntilSignal(logger, () => running.close(), failed);
}

/** As the other parts of a node. */
const usualVerbosity = 2;
