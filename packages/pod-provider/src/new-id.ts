import { randomBytes } from 'node:crypto';

/** An id that no other thing has: 64 hexadecimal digits, as runtimes have them. */
export const newId = (): string => randomBytes(32).toString('hex');
