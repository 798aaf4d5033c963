/** Bounds of clusters in tests. Times in milliseconds. */
export const limits = {
  /** How long a start may take. */
  startTimeoutMs: 60_000,
  /** How long `apply` tries again while the service account of a new namespace is made. */
  accountTimeoutMs: 10_000,
  /** Pause before it tries again. */
  accountPollMs: 20,
  /** A folder without an owner is left alone for so long: its owner may be about to sign it. */
  unsignedAgeMs: 60_000,
  /** Snapshots that one cluster keeps. */
  snapshotsMax: 16,
  /** How long what a failed wait was about is looked into. */
  reasonsTimeoutMs: 3_000,
  /** Pods of a workload, and lines of each container, that are told of then; characters of a line. */
  reasonPodsMax: 3,
  reasonLogLines: 10,
  reasonLineCharacters: 300,
  /** Nodes of one cluster; each takes about as much memory as a node alone. */
  nodesMax: 8,
} as const;
