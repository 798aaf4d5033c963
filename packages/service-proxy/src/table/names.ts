/** Names of the sets of a node's table. */
export const sets = {
  /** Address, protocol and port → the chain that chooses an endpoint. */
  services: 'services',
  /** The same for the ports of every address of the machine. */
  nodePorts: 'node-ports',
  /** Address, protocol, port and number → the endpoint of that number. */
  endpoints: 'endpoints',
  nodePortEndpoints: 'node-port-endpoints',
  /** Client and what it connected to → the number of the endpoint it stays with. */
  affinity: 'affinity',
  nodePortAffinity: 'node-port-affinity',
  /** Address, protocol and port → the chain that lets clients of some addresses pass alone. */
  guarded: 'guarded',
  /** The direction in which connections begin, and nothing else → the chain that refuses what is sent to addresses of services which no service has. */
  unassigned: 'unassigned',
  /** What has no endpoint → whether it is refused or dropped. */
  withoutEndpoints: 'without-endpoints',
  nodePortsWithoutEndpoints: 'node-ports-without-endpoints',
  /** What TCP is translated for: addresses and ports, the ports of every address of the machine, and endpoints. */
  led: 'led',
  ledNodePorts: 'led-node-ports',
  answering: 'answering',
  /** Endpoints, each beside itself: a pod that reaches itself by its service. */
  hairpins: 'hairpins',
  /** Endpoints that are not on this node. */
  remote: 'remote-endpoints',
  /** The node's own addresses, where node ports are at those alone. */
  nodeAddresses: 'node-addresses',
} as const;

/** Sets whose elements follow from services alone; those of affinity the kernel adds by itself. */
export const keptSets: readonly string[] = Object.values(sets).filter((name) => !name.endsWith('affinity'));

/**
 * The nftables tables of the node whose pods are on that bridge. The first is the one that stays: where its
 * rules are an older version's, the second is made and filled before it goes, and then the first in the place of the second. Versions that
 * know of one name alone find and leave nothing else.
 */
export const tablesOf = (bridgeName: string): readonly [string, string] => [
  `wherry-${bridgeName}-services`,
  `wherry-${bridgeName}-services-next`,
];
