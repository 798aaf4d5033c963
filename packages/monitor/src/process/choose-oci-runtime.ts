import { detectCgroups, programVersion } from '@wherry/linux';
import { MonitorError } from '@wherry/monitor-api';

/**
 * crun where it works (it starts a container in a third of the time), else runc. crun refuses hosts that mount both
 * cgroup versions. Throws `FAILED_PRECONDITION` when neither is there.
 */
export function chooseOciRuntime(): string {
  const candidates = detectCgroups().version === 'hybrid' ? ['runc'] : ['crun', 'runc'];
  const found = candidates.find((program) => programVersion(program) !== null);
  if (found) return found;
  throw new MonitorError(
    'FAILED_PRECONDITION',
    `found none of ${candidates.join(', ')}; install one, or name its path`,
  );
}
