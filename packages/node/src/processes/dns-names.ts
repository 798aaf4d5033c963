import type { NodeRecord } from '../layout/record.ts';

/** The address that pods know the cluster's DNS by, in the range of services (kubeadm: the same). */
export const clusterDnsAddress = '10.96.0.10';

/** What the cluster's DNS shares with the kubelet, which may be told otherwise by the node's settings. */
export function dnsNames({ settings }: NodeRecord) {
  const { clusterDomain, resolvConf } = settings?.kubelet ?? {};
  return {
    clusterDns: clusterDnsAddress,
    clusterDomain: typeof clusterDomain === 'string' ? clusterDomain : 'cluster.local',
    resolvConf: typeof resolvConf === 'string' ? resolvConf : '/etc/resolv.conf',
  };
}
