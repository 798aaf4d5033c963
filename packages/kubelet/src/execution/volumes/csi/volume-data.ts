import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, writeFileAtomic } from '@wherry/linux';

/** What is written down of a volume before its driver is asked for it, by upstream's names. */
export interface VolumeData {
  driverName: string;
  volumeHandle: string;
  specVolID?: string;
  nodeName?: string;
  attachmentID?: string;
  volumeLifecycleMode?: string;
}

const fileName = 'vol_data.json';

/** Where it stands in a volume's folder. */
export const volumeDataPath = (folder: string) => join(folder, fileName);

/** What a folder says of its volume; undefined where nothing was written down. Throws for what can't be read. */
export async function readVolumeData(folder: string): Promise<VolumeData | undefined> {
  const path = volumeDataPath(folder);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
  const data: unknown = JSON.parse(text);
  if (!isVolumeData(data)) throw new Error(`"${path}" names no driver and volume handle`);
  return data;
}

/** Writes it down for good. */
export async function writeVolumeData(folder: string, data: VolumeData): Promise<void> {
  await writeFileAtomic(volumeDataPath(folder), JSON.stringify(data), 0o640);
}

function isVolumeData(data: unknown): data is VolumeData {
  if (typeof data !== 'object' || data === null) return false;
  const { driverName, volumeHandle } = data as Partial<VolumeData>;
  return typeof driverName === 'string' && typeof volumeHandle === 'string';
}
