/** Bounds of the page. Times in milliseconds. */
export const limits = {
  /** Rows of a table that stand in the page at once. */
  pageRows: 200,
  /** Objects that a table is read with; more are told of by their number. */
  tableRowsReadMax: 50_000,
  /** Objects that are asked for at once. */
  tableChunkRows: 2_500,
  /** Pause between two readings of a table that changes. */
  tablePauseMs: 1_000,
  /** Pause before something that failed is asked for again. */
  retryMs: 5_000,
  /** Bytes of one object in YAML. */
  objectBytesMax: 16 * 1024 * 1024,
  /** Lines of a log that the page holds; older ones go first. */
  logLinesMax: 5_000,
  /** Characters of them. */
  logCharactersMax: 4 * 1024 * 1024,
  /** Changes of colour in one line; behind the last of them it looks the same to its end. */
  logSpansMax: 200,
  /** Sequences of colours that a line leaves to the next one. */
  logColoursCarriedMax: 16,
  /** Places that a search in a log finds. */
  logMatchesMax: 10_000,
  /** Lines that a log begins with. */
  logTailLines: 1_000,
  /** Pause between two looks whether a container that ended runs again. */
  logRestartPollMs: 1_000,
  /** Pause between two readings of a pod that may not be followed. */
  podPollMs: 5_000,
  /** Lines above a terminal's screen. */
  terminalScrollbackLines: 5_000,
  /** Pause between two looks at the sessions. */
  sessionsPollMs: 1_000,
  /** How long a list tells that a container ended and runs again. */
  restartFreshMs: 600_000,
  /** Lines of a container's last words on its pod's page. */
  lastWordsLines: 8,
  /** Bytes of them. */
  lastWordsBytesMax: 64 * 1024,
  /** Pause between two looks at what a pod uses; kubelets measure every 10 to 15 s. */
  usagePollMs: 15_000,
  /** Ages are written anew after this. */
  tickMs: 1_000,
  /** How many times as long as it took to write it the page rests before it is written again. */
  restPerRendering: 9,
  /** The longest of these rests. */
  renderRestMaxMs: 500,
  /** A rest shorter than the time from one picture of a screen to the next is none. */
  pictureMs: 16,
  /** How long a log is collected before it is shown. */
  logShowMs: 50,
} as const;
