import type { ContainerRecord } from './record.ts';

/** How a container's first process ended. */
export interface ContainerExit {
  /** Null when nobody could see it. */
  exitCode: number | null;
  finishedAtNs: bigint;
  /** The kernel has killed a process of the container for want of memory. */
  outOfMemory: boolean;
  /** Why nobody could see it. */
  unseen?: string;
}

const unknownExitCode = 255;

/**
 * Puts an exit into the record. OOMKilled is told when the kernel killed any process of the container and the first one
 * failed: a shell whose child was killed ends with 137 as well. A first process that coped and ended with 0 is Completed.
 */
export function recordExit(record: ContainerRecord, exit: ContainerExit): void {
  record.finishedAtNs = exit.finishedAtNs;
  record.exitCode = exit.exitCode ?? unknownExitCode;
  if (exit.exitCode === null) {
    record.phase = 'unknown';
    record.reason = 'Unknown';
    record.message = exit.unseen ?? 'the container ended while no monitor and no keeper was there to see how';
    return;
  }
  record.phase = 'exited';
  if (record.lostLogBytes > 0)
    record.message = `${record.lostLogBytes} bytes of its output could not be written to its log`;
  record.oomKilled = exit.outOfMemory && exit.exitCode !== 0;
  record.reason = record.oomKilled ? 'OOMKilled' : exit.exitCode === 0 ? 'Completed' : 'Error';
}
