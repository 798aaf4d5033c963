/** Bounds of the command line. Times in milliseconds. */
export const limits = {
  /** Pause between two looks at the demo pod, whose start is waited for. */
  demoPollMs: 15,
  /** Pause between two looks at a pod that is about to run. */
  podPollMs: 100,
  /** Bytes of a file of manifests that is fetched from a URL. */
  manifestBytesMax: 16 * 1024 * 1024,
  /** How long fetching it may take. */
  manifestDownloadTimeoutMs: 60_000,
  /** Pause before a watch that the server ended in order is taken up again. */
  watchPauseMs: 500,
  /** Pause between two looks at whether a deleted object is gone. */
  deletionPollMs: 100,
  /** Pause before the log of a container that has yet to start is asked for again. */
  logStartPollMs: 1_000,
} as const;
