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
} as const;
