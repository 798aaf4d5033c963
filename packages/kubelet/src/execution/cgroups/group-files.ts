import type { CgroupLayout } from '@wherry/linux';
import { shareOf } from './pod-group.ts';

/** The file of a share of the processor, and what it says. */
export function weightFile({ version }: CgroupLayout, shares: number): [string, string] {
  const isUnified = version === 'v2';
  return [isUnified ? 'cpu.weight' : 'cpu.shares', String(shareOf(isUnified, shares))];
}

/** The file of a bound on memory. */
export const memoryFile = ({ version }: CgroupLayout): string =>
  version === 'v2' ? 'memory.max' : 'memory.limit_in_bytes';
