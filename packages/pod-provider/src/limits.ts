/** Bounds of a provided runtime. */
export const limits = {
  /** Output of both streams that ExecSync keeps, as upstream's runtimes have it; the rest is dropped. */
  execSyncOutputBytesMax: 16 * 1024 * 1024 - 64 * 1024,
  /** A command whose client has gone or whose time is over is asked to end, and killed after this. */
  abandonedExecGraceMs: 2_000,
  /** A client that is attached and takes nothing for so long is let go; until then its container waits. */
  attachPatienceMs: 30_000,
  /** Events that wait for one reader; one further behind is cut off, and looks at everything anew. */
  eventsPerReaderMax: 1_000,
  /** A provider that has not said for so long what a container takes is not waited for: what it said before stands. */
  usageAnswerMs: 2_000,
  /** What a provider has not ended for so long is left behind by a runtime that closes. */
  closeMs: 10_000,
  /** Sandboxes and containers that there may be, ended ones among them. */
  sandboxesMax: 2_000,
  containersMax: 10_000,
} as const;
