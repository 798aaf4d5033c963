/** Bounds of network policies. Times in milliseconds. */
export const limits = {
  /** Pause before what the kernel refused is tried again. */
  retryMs: 2_000,
} as const;
