import type { Cidr } from '@wherry/kubeapi/objects';

/** A range that each node gets a part of. */
export interface NodeRange {
  range: Cidr;
  /** Bits of a node's part (upstream: --node-cidr-mask-size-ipv4, -ipv6). */
  nodePrefixBits: number;
}

/** What addresses of pods nodes get. */
export interface NodeRanges {
  /** One, or one of each family; the first is the pods' own (--cluster-cidr). */
  ranges: readonly NodeRange[];
  /** What lies in them and no node gets: addresses of services. */
  excluded: readonly Cidr[];
}
