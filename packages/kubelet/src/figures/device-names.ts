import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const known = new Map<string, string>();
const knownMax = 1_000;

/** `/dev/NAME` of a block device given as `major:minor`, or that itself where the kernel has no name for it. */
export function deviceName(device: string): string {
  const before = known.get(device);
  if (before !== undefined) return before;
  const name = nameAt(`/sys/dev/block/${device}`) ?? device;
  if (known.size < knownMax) known.set(device, name);
  return name;
}

function nameAt(link: string): string | undefined {
  try {
    return `/dev/${basename(readlinkSync(link))}`;
  } catch {
    return undefined;
  }
}
