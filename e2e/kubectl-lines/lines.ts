/** One command line of kubectl, and what shows that it did its work. */
export interface Line {
  /** Run by a shell; `kubectl` is the one under test. */
  line: string;
  /** What it prints, on stdout or stderr. */
  says: RegExp;
  /** Default 0. */
  code?: number;
  /** First minor version of kubectl that has these words. */
  since?: number;
}

/** Command lines in the order in which they are run, one after the other, on one node. */
export type Topic = readonly Line[];

/** A line as a pair, or a triple with the version that it came with. */
export const lines = (...all: [line: string, says: RegExp, since?: number][]): Line[] =>
  all.map(([line, says, since]) => ({ line, says, ...(since === undefined ? {} : { since }) }));

/** Images of the node that the lines name. */
export const images = ['docker.io/library/web:1', 'docker.io/library/web:2'] as const;

/** A command for them that ends at once when it is told to. */
export const sleep = "sh -c 'trap exit TERM; echo up; sleep 100000 & wait'";
