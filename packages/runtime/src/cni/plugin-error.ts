import { RuntimeError } from '../errors.ts';
import { isRecord, textOf } from '../state/json.ts';

/** Codes of the specification that mean more than "it failed". */
export const cniErrorCode = { unavailable: 50, limitedConnectivity: 51 } as const;

/** A plug-in said no: `cniCode` is the number it gave, null for one that gave none. */
export class PluginError extends RuntimeError {
  readonly cniCode: number | null;

  constructor(words: string, cniCode: number | null) {
    super('UNKNOWN', words);
    this.cniCode = cniCode;
  }
}

/** What a plug-in that failed had to say, in libcni's words and with its code. */
export function pluginError(stdout: string, stderr: string): PluginError {
  if (stdout.trim() === '') {
    const words = stderr.trim();
    return new PluginError(
      words === '' ? 'netplugin failed with no error message' : `netplugin failed: ${words}`,
      null,
    );
  }
  let said: unknown;
  try {
    said = JSON.parse(stdout);
  } catch {
    said = undefined;
  }
  if (!isRecord(said) || typeof said['code'] !== 'number')
    return new PluginError(
      `netplugin failed but error parsing its diagnostic message ${JSON.stringify(stdout)}`,
      null,
    );
  const details = textOf(said['details']);
  const words = `${textOf(said['msg'])}${details === '' ? '' : `; ${details}`}`;
  return new PluginError(`${words} (CNI error code ${said['code']})`, said['code']);
}
