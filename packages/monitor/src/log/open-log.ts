import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { hasCode, OpenFolder } from '@wherry/linux';
import { MonitorError } from '@wherry/monitor-api';

const flags =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NOFOLLOW |
  // A FIFO in the file's place is refused, not waited for.
  constants.O_NONBLOCK;

/**
 * Opens a log to append to it, or makes it (mode 0640). Pods can get at log folders by hostPath volumes: of
 * `<logs>/<pod>/<container>/<file>` no part below `<logs>` may be a link, and the file must be a regular one. Throws
 * `FAILED_PRECONDITION` otherwise, or the system's error.
 */
export function openLog(path: string): number {
  const folder = dirname(path);
  const logs = dirname(dirname(folder));
  try {
    using root = OpenFolder.at(logs);
    using own = root.folder(relative(logs, folder) || '.', { links: 'refused' });
    const descriptor = openSync(own.entry(basename(path)), flags, 0o640);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
  } catch (error) {
    if (!hasCode(error, 'ELOOP', 'EXDEV', 'ENXIO')) throw error;
  }
  const why = 'it, or a folder on the way to it, is a link or no regular file';
  throw new MonitorError('FAILED_PRECONDITION', `log "${path}" is not written: ${why}`);
}
