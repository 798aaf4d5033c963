import { mkdir } from 'node:fs/promises';
import { mount } from '@wherry/linux';
import { amountOf, binaryAmount, isHugePages, pageBytesOf } from '../../pod/amount.ts';
import type { AssignedPod } from '../../pod/assigned-pod.ts';
import { isMountPoint } from './memory-folder.ts';

const ofAnySize = 'HugePages';

/** Whether a medium of an emptyDir is one of huge pages: `HugePages`, `HugePages-2Mi`. */
export const isHugePagesMedium = (medium: string): boolean =>
  medium === ofAnySize || /^HugePages-\d+[KMGT]i$/.test(medium);

/** Makes `path` a folder whose files are made of huge pages of that size. Throws where this process may not mount. */
export async function makeHugePagesFolder(path: string, pageBytes: number): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o750 });
  if (await isMountPoint(path)) return;
  mount({ target: path, source: 'nodev', type: 'hugetlbfs', data: `pagesize=${pageBytes}` });
}

/**
 * Bytes of the pages that a volume of such a medium is made of: those that it names, or those that the pod asks for. Throws
 * where it asks for none of them, or for several sizes and the medium names none.
 */
export function pageBytesOfMedium({ spec }: AssignedPod, medium: string): number {
  const all = [spec, ...spec.containers, ...(spec.initContainers ?? [])];
  const asked = all.flatMap(({ resources }) => Object.keys({ ...resources?.limits, ...resources?.requests }));
  const sizes = new Set(asked.filter(isHugePages).map(pageBytesOf));
  const [first] = sizes;
  if (medium === ofAnySize && sizes.size > 1) {
    const names = [...sizes].map((bytes) => `"${ofAnySize}-${binaryAmount(bytes)}"`).join(', ');
    throw new Error(
      `emptyDir medium "${medium}": the pod asks for pages of several sizes; name one: ${names}`,
    );
  }
  const wanted = medium === ofAnySize ? first : amountOf(medium.slice(ofAnySize.length + 1));
  if (wanted === undefined || !sizes.has(wanted))
    throw new Error(`emptyDir medium "${medium}": no container of the pod asks for such pages`);
  return wanted;
}
