/** What a server was told can't be so: a setting, or a file that one names. The message has the place, the value and what may stand there. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'bad-settings';
}

/** Calls what reads a setting or a file. What it throws is told of as `what`, by a {@link SettingsError}. */
export function readingSettings<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new SettingsError(`${what}: ${(error as Error).message}`, { cause: error });
  }
}
