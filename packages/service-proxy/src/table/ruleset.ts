import { type AddressFamily, type VersionedRules, versionedRules } from '@wherry/linux';
import { limits } from '../limits.ts';
import { sets } from './names.ts';
import { type LocalTraffic, type NodePortAddresses, nodePortMatch, notLocal } from './places.ts';

const words = {
  ip: { address: 'ipv4_addr', isLed: '' },
  // The kernel takes no packet of this address from another interface, whatever is translated.
  ip6: { address: 'ipv6_addr', isLed: 'ip6 daddr != ::1' },
} as const;

/** What the table of one node is made of, for one family of addresses. */
export interface RulesOptions {
  family: AddressFamily;
  /** The bridge that the node's pods are plugged into. */
  bridgeName: string;
  /** Bridges of other nodes of this machine, `wh-*`: their pods have services of their own. */
  foreignBridges: string | undefined;
  /** Addresses of services, a range of the family; others may come to be beside it. */
  serviceCidr: string;
  /** Requests for services' addresses carry the node's own. */
  masqueradesAll: boolean;
  /** What comes from pods of this node. Default: what the bridge sends. */
  localTraffic?: LocalTraffic | undefined;
  /** Default: every address of the machine. */
  nodePortAddresses?: NodePortAddresses | undefined;
}

/**
 * The rules that never change: what does is in the sets, and in the chains that choose among so many endpoints. One
 * transaction replaces what an earlier run left.
 *
 * Strays are packets that the kernel takes for none of their connection, such as one that comes too late. It does not translate
 * them, and whoever got one would answer a stranger's with a reset, which ends the connection. They are lost instead; who sent
 * one says the same again.
 */
export const ruleset = (name: string, options: RulesOptions): VersionedRules =>
  versionedRules({ family: options.family, name }, body(options));

function body(options: RulesOptions): string {
  const { family, bridgeName, foreignBridges, serviceCidr, masqueradesAll } = options;
  const { address, isLed } = words[family];
  const atNode = nodePortMatch(family, options.nodePortAddresses);
  const isAway = notLocal({ family, serviceCidr, local: options.localTraffic ?? { interface: bridgeName } });
  const everyRequest = masqueradesAll
    ? `ct status dnat ct original ${family} daddr ${serviceCidr} masquerade`
    : '';
  const strangers = foreignBridges === undefined ? '' : `iifname "${foreignBridges}" goto by-node-port`;
  const strangersPass = foreignBridges === undefined ? '' : `iifname "${foreignBridges}" return`;
  // Answers come back through this machine to and from every pod of it, those of other nodes too. Packets that stay on one
  // bridge may have no device that they came in by.
  const isStranger =
    foreignBridges === undefined ? '' : `iifname != "${foreignBridges}" oifname != "${foreignBridges}"`;
  const learned = `flags dynamic,timeout; size ${limits.affinityEntriesMax};`;
  return `
  map ${sets.services} { type ${address} . inet_proto . inet_service : verdict; }
  map ${sets.nodePorts} { type inet_proto . inet_service : verdict; }
  map ${sets.endpoints} {
    typeof ${family} daddr . meta l4proto . th dport . numgen random mod 2 : ${family} daddr . th dport
  }
  map ${sets.nodePortEndpoints} {
    typeof meta l4proto . th dport . numgen random mod 2 : ${family} daddr . th dport
  }
  map ${sets.affinity} {
    type ${address} . ${address} . inet_proto . inet_service : mark; ${learned}
  }
  map ${sets.nodePortAffinity} {
    type ${address} . inet_proto . inet_service : mark; ${learned}
  }
  map ${sets.guarded} { type ${address} . inet_proto . inet_service : verdict; }
  map ${sets.unassigned} { type ct_dir : verdict; }
  map ${sets.withoutEndpoints} { type ${address} . inet_proto . inet_service : verdict; }
  map ${sets.nodePortsWithoutEndpoints} { type inet_proto . inet_service : verdict; }
  set ${sets.led} { type ${address} . inet_proto . inet_service; }
  set ${sets.ledNodePorts} { type inet_proto . inet_service; }
  set ${sets.answering} { type ${address} . inet_proto . inet_service; }
  set ${sets.hairpins} { type ${address} . ${address}; }
  set ${sets.remote} { type ${address} . inet_proto . inet_service; }
  set ${sets.nodeAddresses} { type ${address}; }
  chain refuse {
    meta l4proto tcp reject with tcp reset
    reject
  }
  chain drop-it {
    drop
  }
  chain by-node-port {
    ${isLed} ${atNode} fib daddr type local meta l4proto . th dport vmap @${sets.nodePorts}
  }
  chain by-address {
    ${family} daddr . meta l4proto . th dport vmap @${sets.services}
    goto by-node-port
  }
  chain guard {
    ct state new meta l4proto { tcp, udp, sctp } ${family} daddr . meta l4proto . th dport vmap @${sets.guarded}
  }
  chain strays {
    ${family} daddr . meta l4proto . th dport @${sets.led} drop
    ${family} saddr . meta l4proto . th sport @${sets.answering} drop
    ${atNode} fib daddr type local meta l4proto . th dport @${sets.ledNodePorts} drop
  }
  chain guard-prerouting {
    type filter hook prerouting priority -110; policy accept;
    meta l4proto tcp ct state invalid jump strays
    iifname "${bridgeName}" goto guard
    ${strangersPass}
    goto guard
  }
  chain guard-output {
    type filter hook output priority -110; policy accept;
    meta l4proto tcp ct state invalid jump strays
    goto guard
  }
  chain prerouting {
    type nat hook prerouting priority dstnat; policy accept;
    meta l4proto != { tcp, udp, sctp } return
    iifname "${bridgeName}" goto by-address
    ${strangers}
    goto by-address
  }
  chain output-nat {
    type nat hook output priority -100; policy accept;
    meta l4proto { tcp, udp, sctp } goto by-address
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ct status dnat ${family} saddr . ${family} daddr @${sets.hairpins} masquerade
    ct status dnat ${isAway} ${isStranger} ${family} daddr . meta l4proto . th dport @${sets.remote} masquerade
    ${everyRequest}
  }
  chain unserved {
    ct state new meta l4proto { tcp, udp, sctp } ${family} daddr . meta l4proto . th dport vmap @${sets.withoutEndpoints}
    ct state new ${atNode} fib daddr type local meta l4proto . th dport vmap @${sets.nodePortsWithoutEndpoints}
    ${family} daddr ${serviceCidr} goto refuse
    ct direction vmap @${sets.unassigned}
  }
  chain input {
    type filter hook input priority filter; policy accept;
    jump unserved
  }
  chain forward {
    type filter hook forward priority filter; policy accept;
    jump unserved
  }
  chain output {
    type filter hook output priority filter; policy accept;
    jump unserved
  }
`;
}
