import { boundedWords, RuntimeError } from '../errors.ts';
import { isRecord, textOf } from '../state/json.ts';

/** A plug-in said no. */
export class PluginError extends RuntimeError {
  constructor(words: string) {
    super('UNKNOWN', words);
  }
}

/** What a plug-in that ended with this code had to say, in libcni's words: users and monitoring know them. */
export function pluginError(stdout: string, stderr: string, exitCode: number): PluginError {
  if (stdout.trim() === '') {
    const words =
      stderr === ''
        ? `netplugin failed with no error message: exit status ${exitCode}`
        : `netplugin failed: ${JSON.stringify(boundedWords(stderr))}`;
    return new PluginError(words);
  }
  let said: unknown;
  try {
    said = JSON.parse(stdout);
  } catch {
    said = undefined;
  }
  if (!isRecord(said) || typeof said['msg'] !== 'string')
    return new PluginError(
      `netplugin failed but error parsing its diagnostic message ${JSON.stringify(boundedWords(stdout))}`,
    );
  const details = boundedWords(textOf(said['details']));
  return new PluginError(`${boundedWords(said['msg'])}${details === '' ? '' : `; ${details}`}`);
}
