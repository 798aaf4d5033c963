export type { DnsPeer } from './objects/dns-peer.ts';
export type { NamedPort } from './objects/pod-facts.ts';
export { type NetworkPolicies, type NetworkPolicyOptions, startNetworkPolicies } from './start.ts';
