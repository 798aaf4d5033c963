/** Every bound of the API server in one place. */
export const limits = {
  /** Events that the store keeps in memory for watches that start a little in the past. */
  windowEventsMax: 2_000,
  /** Characters of the values of those events. */
  windowCharactersMax: 8 * 1024 * 1024,
  /** A watch that would have to catch up on more events is told to list anew (410). */
  catchUpEventsMax: 10_000,
  /** Keys whose lifetime is over that one sweep deletes. */
  expirySweepMax: 1_000,
} as const;

/** Every period of the API server in one place, in milliseconds. */
export const periods = {
  /** How often keys whose lifetime is over are looked for. */
  expirySweepMs: 10_000,
} as const;
