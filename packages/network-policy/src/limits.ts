/** Bounds of network policies. Times in milliseconds. */
export const limits = {
  /** Pause before what the kernel refused is tried again. */
  retryMs: 2_000,
  /** How often it is looked whether the rules are still in the kernel. */
  checkMs: 5_000,
} as const;
