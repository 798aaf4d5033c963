import { randomBytes } from 'node:crypto';

/** A new id, 64 hexadecimal digits, as CRI runtimes have them. */
export const newId = (): string => randomBytes(32).toString('hex');
