/** When nodes that are not heard of count as gone, in milliseconds, in upstream's flags. */
export interface NodeMonitorTimes {
  /** How often nodes are looked at (`--node-monitor-period`). */
  periodMs: number;
  /** Silence after which a node counts as unreachable (`--node-monitor-grace-period`). */
  graceMs: number;
  /** The same of one that has not told anything of itself yet (`--node-startup-grace-period`). */
  startupGraceMs: number;
}

/** Upstream's defaults. */
export const usualNodeMonitorTimes: NodeMonitorTimes = {
  ...{ periodMs: 5_000, graceMs: 50_000, startupGraceMs: 60_000 },
};
