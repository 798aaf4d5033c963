/** Bounds of network policies. Times in milliseconds. */
export const limits = {
  /** Pause before what the kernel refused is tried again. */
  retryMs: 2_000,
  /** How often it is looked whether the rules are still in the kernel. */
  checkMs: 5_000,
  /** Sets of the kernel that one policy may need: it looks through all of a table's for each. */
  policySetsMax: 1_000,
  /** Those of all policies of one namespace. */
  namespaceSetsMax: 2_000,
  /** Rules and ports of one policy. */
  policyRulesMax: 10_000,
} as const;
