/** Every bound of the telemetry package in one place. */
export const limits = {
  /** Series of one metric: what comes beyond is counted together, under the label values `overflow`. */
  seriesPerMetricMax: 2_000,
  /** Characters of a label's value; the rest is cut off. */
  labelCharactersMax: 256,
  /** Spans that wait for their collector; later ones are dropped. */
  spansWaitingMax: 2_048,
  /** Spans are gathered so long before they are sent. */
  spansSentAfterMs: 1_000,
  /** The collector takes a batch within this time, or the batch is dropped; a process that ends waits so long for it. */
  spansSentWithinMs: 5_000,
  /** Characters of a fact and of an error of a span; the rest is cut off. */
  spanTextMax: 1_024,
  /** Sessions of a process that go on and are listed; more are counted. */
  sessionsListedMax: 1_024,
  /** Sessions that have ended and are still told of, and for how long. */
  sessionsEndedMax: 128,
  sessionsEndedForMs: 5 * 60_000,
  /** Characters of each text of a session, as JSON has them; of a command all its words together. */
  sessionTextMax: 256,
  sessionCommandCharactersMax: 1_024,
  sessionCommandWordsMax: 64,
  /** Sessions that are read of another process's list, streams of each, and characters of each of its texts. */
  sessionsReadMax: 2_048,
  sessionStreamsReadMax: 64,
  sessionReadCharactersMax: 1_024,
  /** Ports of a session that are told of one by one; more are told of together. */
  sessionPortsMax: 16,
  /** Characters of an id that another server gave to a session (upstream logs as many of an Audit-ID). */
  sessionIdCharactersMax: 64,
  /** Who watches the sessions of a process at once. */
  sessionWatchersMax: 16,
  /** A watch tells at most so often of the changes of one session, and of beginnings and ends together. */
  sessionModifiedEveryMs: 1_000,
  sessionEventsEveryMs: 100,
  /** A watch with nothing to tell says so this often. */
  sessionWatchSilenceMs: 15_000,
} as const;
