/** Every bound of the telemetry package in one place. */
export const limits = {
  /** Series of one metric: what comes beyond is counted together, under the label values `overflow`. */
  seriesPerMetricMax: 2_000,
  /** Characters of a label's value; the rest is cut off. */
  labelCharactersMax: 256,
} as const;
