import { bytesOnDisk, hasCode, type TreeUsage } from '@wherry/linux';
import { LogFolder } from './log-folder.ts';

/** What the files beside a container's log take of the disk, rotated ones too; nothing where there are none. */
export function logUsage(logPath: string): TreeUsage {
  const sum = { bytes: 0, inodes: 0 };
  try {
    using folder = LogFolder.of(logPath);
    for (const name of folder.names()) {
      const found = folder.stat(name);
      if (!found?.isFile()) continue;
      sum.bytes += bytesOnDisk(found);
      sum.inodes += 1;
    }
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'log-file-refused')) throw error;
  }
  return sum;
}
