/** Bounds of the service proxy. Times in milliseconds. */
export const limits = {
  /** Pause before what the kernel refused is tried again. */
  retryMs: 2_000,
  /** How often it is looked whether the rules are still in the kernel. */
  checkMs: 5_000,
  /** External addresses by which one service is led; its further ones are not. */
  externalAddressesMax: 100,
  /** Addresses times ports times endpoints of one service; its further ports are not led. */
  serviceElementsMax: 100_000,
  /** Clients that are kept to their endpoints at once, those of node ports apart; further ones go anywhere. */
  affinityEntriesMax: 65_536,
  /** A change that the kernel was not told of for so long is told of as a bad sign, as upstream. */
  healthTimeoutMs: 60_000,
  /** Connections at once to each health check port; balancers ask shortly and go. */
  healthCheckConnectionsMax: 32,
  /** How long a question to a health check port may take to come. */
  healthCheckTimeoutMs: 5_000,
} as const;
