/** What a server was told can't be so: a setting, or a file that one names. The message has the place, the value and what may stand there. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'bad-settings';
}
