import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A new id, 64 hexadecimal digits, as CRI runtimes have them. */
export const newId = (): string => randomBytes(32).toString('hex');

/** Names the current boot of the machine: namespaces, mounts and processes of another one are gone. */
export const readBootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
