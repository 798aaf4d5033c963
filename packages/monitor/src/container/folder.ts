import { join } from 'node:path';
import { MonitorError } from '@wherry/monitor-api';

/** Where a container's record and FIFOs lie. Throws `INVALID_ARGUMENT` on an id that is no plain file name. */
export function folderOf(containersFolder: string, id: string): string {
  if (/^[\w+-][\w+.-]*$/.test(id)) return join(containersFolder, id);
  const rule = 'must be letters, digits, "_", "+", "-" and, behind the first, "."';
  throw new MonitorError('INVALID_ARGUMENT', `container id "${id}" ${rule}`);
}
