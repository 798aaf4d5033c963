import { MonitorError, type MonitorErrorCode } from '@wherry/monitor-api';
import { RuntimeError, type RuntimeErrorCode } from '../errors.ts';

const codes: Record<MonitorErrorCode, RuntimeErrorCode> = {
  invalid_argument: 'invalid',
  not_found: 'notFound',
  already_exists: 'alreadyExists',
  failed_precondition: 'wrongState',
  resource_exhausted: 'unavailable',
  deadline_exceeded: 'deadline',
  cancelled: 'cancelled',
  oci_runtime: 'failed',
  unavailable: 'unavailable',
  internal: 'failed',
};

/** The monitor's failure in this package's words; anything else as it is. */
export function fromMonitor(error: unknown): unknown {
  return error instanceof MonitorError
    ? new RuntimeError(codes[error.code], error.message, { cause: error })
    : error;
}
