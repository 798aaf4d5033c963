/** What a container's process does. */
export interface Program {
  /** Undefined for one that runs until it is stopped. */
  exitsAfterMs: number | undefined;
  exitCode: number;
  /** How long it takes to end after the stop signal. */
  stopsAfterMs: number;
}

/** Reads a command line: `run STOP_MS`, or `exit CODE AFTER_MS STOP_MS`. */
export function programOf([verb = 'run', ...words]: readonly string[]): Program {
  const [first = 0, second = 0, third = 0] = words.map(Number);
  if (verb === 'exit') return { exitsAfterMs: second, exitCode: first, stopsAfterMs: third };
  return { exitsAfterMs: undefined, exitCode: 0, stopsAfterMs: first };
}
