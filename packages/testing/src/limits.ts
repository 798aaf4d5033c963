/** Bounds of clusters in tests. Times in milliseconds. */
export const limits = {
  /** How long a start may take. */
  startTimeoutMs: 60_000,
  /** How long `waitFor` waits by default. */
  waitTimeoutMs: 30_000,
  /** Pause between two looks at an object that is waited for. */
  waitPollMs: 20,
  /** How long `apply` tries again while the service account of a new namespace is made. */
  accountTimeoutMs: 10_000,
  /** How long everything may take to end once the test process is gone; what is left then, the next start clears. */
  endTimeoutMs: 60_000,
  /** A folder without an owner is left alone for so long: its owner may be about to sign it. */
  unsignedAgeMs: 60_000,
  /** Snapshots that one cluster keeps. */
  snapshotsMax: 16,
  /** Characters of one line between test and host. */
  lineCharactersMax: 1024 * 1024,
} as const;
