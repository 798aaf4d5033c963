/** SQLite's primary result codes that matter here (sqlite.org/rescode.html); extended codes carry them in the low byte. */
const results = { readOnly: 8, ioError: 10, corrupt: 11, full: 13, cantOpen: 14, notADatabase: 26 } as const;

const doubtful: readonly number[] = [
  results.readOnly,
  results.ioError,
  results.corrupt,
  results.cantOpen,
  results.notADatabase,
];

/** True when the disk, or the quota, has no room: the transaction is undone, and the next may succeed. */
export function isDiskFull(error: unknown): boolean {
  return resultOf(error) === results.full;
}

/** True when the file could not be read or written as it should be: what it holds is in doubt from now on. */
export function isDoubtful(error: unknown): boolean {
  const result = resultOf(error);
  return result !== undefined && doubtful.includes(result);
}

/** The primary result code of an error of node:sqlite. */
function resultOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
