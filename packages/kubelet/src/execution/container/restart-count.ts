import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newestContainer, type PodRecord } from '../../observation/pod-record.ts';
import { restartCountOf } from '../../pod/labels.ts';

/**
 * The restart count of the next container of that name: one more than the newest record's, else one more than the
 * highest numbered log file (records may be gone), else 0.
 */
export async function nextRestartCount(record: PodRecord, name: string, podLogDir: string): Promise<number> {
  const newest = newestContainer(record, name);
  if (newest) return restartCountOf(newest.annotations) + 1;
  const entries = await readdir(join(podLogDir, name), { withFileTypes: true }).catch(() => []);
  const counts = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => Number(/^(\d+)\.log/.exec(entry.name)?.[1] ?? Number.NaN) + 1)
    .filter(Number.isSafeInteger);
  return Math.max(0, ...counts);
}
