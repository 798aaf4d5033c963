import { Informer, type KubeClient, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import { startClusterDns } from '@wherry/dns';
import type { Logger } from '@wherry/telemetry';

/** Where CoreDNS serves its metrics. */
const statusPort = 9153;

/** What the cluster's DNS is told. */
export interface NetworkDnsFlags {
  nodeName: string;
  /** Of pods and services: who may ask for names. */
  ranges: readonly string[];
  clusterDns: string;
  clusterDomain: string;
  dnsBindAddress: string;
  resolvConf: string;
}

/** Starts the cluster's DNS for the pods of one node. */
export function startNetworkDns(
  client: KubeClient,
  flags: NetworkDnsFlags,
  logger: Logger,
): { close(): Promise<void> } {
  const follow = <T extends KubeObject>(type: ResourceType<T>, fieldSelector?: string) =>
    new Informer<T>({ resource: client.resource(type), ...(fieldSelector && { fieldSelector }) }).start();
  const informers = {
    namespaces: follow(kinds.namespaces),
    services: follow(kinds.services),
    slices: follow(kinds.endpointSlices),
    pods: follow(kinds.pods, `spec.nodeName=${flags.nodeName}`),
  };
  const dns = startClusterDns({
    informers,
    address: flags.dnsBindAddress,
    serviceAddress: flags.clusterDns,
    domain: flags.clusterDomain,
    ranges: flags.ranges,
    resolvConf: flags.resolvConf,
    statusPort,
    logger: logger.with({ part: 'dns' }),
  });
  return {
    async close() {
      await dns.close();
      await Promise.all(Object.values(informers).map((informer) => informer.close()));
    },
  };
}
