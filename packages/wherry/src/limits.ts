/** Bounds of the command line. Times in milliseconds. */
export const limits = {
  /** Pause between two looks at the demo pod, whose start is waited for. */
  demoPollMs: 15,
  /** Pause between two looks at a pod that is about to run. */
  podPollMs: 100,
  /** Pause before the log of a container that has yet to start is asked for again. */
  logStartPollMs: 1_000,
} as const;
