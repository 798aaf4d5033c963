/** Every bound of the servers of controllers and scheduler. */
export const limits = {
  /** Answers of the API server about who may ask for what. */
  accessAnswersMax: 1_024,
  /** They, and who a token stands for, count so long (upstream: 10 s each). */
  accessAnswerMs: 10_000,
  /** Between two looks at the files of certificates and authorities. */
  servingFilesMs: 5_000,
  /** Bytes of a request's head; longer ones are refused. */
  requestHeadBytesMax: 16 << 10,
  /** A request's head has come by then. */
  requestHeadMs: 10_000,
  /** Connections at once to a page of the network, which anybody may ask; asking it is short. */
  openConnectionsMax: 32,
  /** Idle connections are closed after this time. */
  keepAliveMs: 60_000,
} as const;
