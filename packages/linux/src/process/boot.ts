import { readFileSync, readlinkSync } from 'node:fs';
import { identifyProcess } from './process.ts';

/** The process namespace that the kernel begins with (PROC_PID_INIT_INO). */
const firstNamespace = 'pid:[4026531836]';

/**
 * Names the current boot of the machine: namespaces, mounts and processes of another one are gone. A container is a machine of its own,
 * whose boot is that of its first process: the kernel's `boot_id` outlives it.
 */
export function currentBoot(): string {
  const kernel = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  if (readlinkSync('/proc/self/ns/pid') === firstNamespace) return kernel;
  return `${kernel}.${identifyProcess(1)?.startTicks ?? 0}`;
}
