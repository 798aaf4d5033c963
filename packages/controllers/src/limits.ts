/** Bounds and periods of the controllers. */
export const limits = {
  /** First and longest wait before a key that failed is worked on again, in milliseconds. */
  retryMs: { initialMs: 50, maxMs: 30_000 },
  /** Keys of one queue that are worked on at once. */
  queueConcurrency: 4,
  /** Pods that are bound at once. */
  bindConcurrency: 16,
  /** First and longest wait before an unschedulable pod is tried again without a change, in milliseconds. */
  unschedulableRetryMs: { initialMs: 1_000, maxMs: 60_000 },
  /** How often a terminating namespace that is not yet empty is looked at, in milliseconds. */
  namespacePollMs: 250,
  /** How often the owners of kinds that nobody watches are looked up again, in milliseconds. */
  ownerSweepMs: 30_000,
  /** How often node health is judged, in milliseconds (upstream's node-monitor-period). */
  nodeMonitorPeriodMs: 5_000,
  /** Silence of a node after which it counts as unreachable, in milliseconds (node-monitor-grace-period). */
  nodeMonitorGraceMs: 50_000,
  /** How often orphaned and finished pods are swept, in milliseconds. */
  podSweepMs: 20_000,
  /** Finished pods kept before the oldest are deleted (terminated-pod-gc-threshold). */
  finishedPodsMax: 12_500,
} as const;
