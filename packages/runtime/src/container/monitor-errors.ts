import { MonitorError } from '@wherry/monitor-api';
import { RuntimeError } from '../errors.ts';

/** The monitor's failure as this package's, with the same code; anything else as it is. */
export function fromMonitor(error: unknown): unknown {
  return error instanceof MonitorError
    ? new RuntimeError(error.code, error.message, { cause: error })
    : error;
}
