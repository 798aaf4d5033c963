/** How fast nodes that are not ready are given up, in upstream's flags. */
export interface NodeEvictionRates {
  /** Nodes of a zone that are given up in a second (`--node-eviction-rate`). */
  perSecond: number;
  /** The same of a large zone of which many are not ready (`--secondary-node-eviction-rate`). */
  secondaryPerSecond: number;
  /** The share of a zone's nodes that is many, of 1 (`--unhealthy-zone-threshold`). */
  unhealthyZoneThreshold: number;
  /** A zone of more nodes is large (`--large-cluster-size-threshold`). */
  largeClusterNodes: number;
}

/** Upstream's defaults. */
export const usualNodeEvictionRates: NodeEvictionRates = {
  ...{ perSecond: 0.1, secondaryPerSecond: 0.01, unhealthyZoneThreshold: 0.55, largeClusterNodes: 50 },
};
