/** Bounds of the streaming server; all as k8s.io/cri-streaming has them (pkg/streaming/request_cache.go). */
export const streamingLimits = {
  /** Random bytes of a token; 8 characters of base64url. */
  tokenBytes: 6,
  /** How long a token may wait to be redeemed, in milliseconds. */
  tokenLifetimeMs: 60_000,
  /** Tokens that may wait at once; one more is refused. */
  pendingTokensMax: 1000,
  /** Tries to find a token that is not taken. */
  tokenAttemptsMax: 10,
} as const;
