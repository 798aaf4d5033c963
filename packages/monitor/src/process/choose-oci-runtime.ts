import { usualOciRuntime } from '@wherry/linux';
import { MonitorError } from '@wherry/monitor-api';

/** The usual OCI runtime of this machine. Throws `FAILED_PRECONDITION` when there is none. */
export function chooseOciRuntime(): string {
  const found = usualOciRuntime();
  if (found !== undefined) return found;
  throw new MonitorError(
    'FAILED_PRECONDITION',
    'found no OCI runtime: install runc (or crun, where one cgroup version is mounted), or name its path',
  );
}
