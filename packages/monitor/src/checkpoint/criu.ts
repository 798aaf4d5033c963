import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '@wherry/linux';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import { readTail } from '../process/oci-log.ts';

/** Which of CRIU's logs tells of what. */
export type CriuLog = 'dump.log' | 'restore.log';

/**
 * Throws `UNKNOWN` where no CRIU is on this process's PATH, where runc looks for it. The first words are CRI-O's, which
 * Kubernetes' own test looks for.
 */
export function requireCriu(containerId: string): void {
  try {
    programPath('criu');
  } catch {
    throw new MonitorError(
      'UNKNOWN',
      `CRIU binary not found or too old (<31600). Failed to checkpoint container "${containerId}" or to restore it: install criu on this machine (apt-get install criu)`,
    );
  }
}

/**
 * Gives CRIU settings that the OCI runtime has no words for, and answers the environment in which it finds them: a home
 * folder with a configuration file (criu.org/Configuration_files). What the machine's administrator has set in /etc/criu counts too.
 */
export function criuSettings(workPath: string, lines: readonly string[]): Record<string, string> {
  const folder = join(workPath, '.criu');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'default.conf'), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  return { HOME: workPath };
}

/** A failure of the OCI runtime with CRIU's own last errors, which it leaves in its log. */
export function withCriuErrors(error: unknown, workPath: string, log: CriuLog): MonitorError {
  const { code, message } = MonitorError.from(error);
  // The log goes with the folder that it lies in.
  const failure = message.replace(/\s*log file: \S+$/, '');
  const errors = readTail(join(workPath, log))
    .split('\n')
    .filter((line) => /\bError \(/.test(line))
    .slice(-limits.criuErrorsMax)
    .map((line) => line.replace(/^\(\d+\.\d+\)\s*/, '').trim());
  const words = errors.length === 0 ? failure : `${failure}; CRIU says: ${errors.join('; ')}`;
  return new MonitorError(code, words, { cause: error });
}
