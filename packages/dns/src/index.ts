export type { DnsInformers, Followed } from './cluster/followed-cluster.ts';
export type { Resolver } from './forward/resolver-list.ts';
export { limits } from './limits.ts';
export { type ClusterDns, type ClusterDnsOptions, type DnsPorts, startClusterDns } from './start.ts';
