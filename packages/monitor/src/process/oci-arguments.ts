import { readFileSync } from 'node:fs';
import { MonitorError } from '@wherry/monitor-api';

/** Reads the process id that an OCI runtime wrote (`--pid-file`). */
export function readPidFile(path: string): number {
  const pid = Number(readFileSync(path, 'utf8'));
  if (Number.isInteger(pid) && pid > 0) return pid;
  throw new MonitorError('INTERNAL', `the OCI runtime wrote no process id to "${path}"`);
}
