/** Bounds of the console's server. Those of its page stand in page/limits.ts. */
export const limits = {
  /** Connections at once, of all browsers. A browser opens six, and one for each terminal. */
  connectionsMax: 256,
  /** Terminals at once. */
  terminalsMax: 32,
  /** Browsers that are logged in; one more, and the first has to log in again. */
  loginsMax: 16,
  /** Bytes of a request's head. */
  headBytesMax: 16 * 1024,
  /** Characters of one value of a query: a selector, a word of a command. */
  parameterCharactersMax: 4_096,
  /** Words of a command. */
  commandWordsMax: 64,
} as const;
