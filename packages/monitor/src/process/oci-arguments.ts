import { readFileSync } from 'node:fs';
import { MonitorError } from '@wherry/monitor-api';

/** The process id that an OCI runtime wrote (`--pid-file`); undefined where there is none in the file yet, or was cut off. */
export function pidIn(path: string): number | undefined {
  const pid = Number(readFileSync(path, 'utf8'));
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** The same, where it has to be there. Throws `INTERNAL`. */
export function readPidFile(path: string): number {
  const pid = pidIn(path);
  if (pid !== undefined) return pid;
  throw new MonitorError('INTERNAL', `the OCI runtime wrote no process id to "${path}"`);
}
