import { randomBytes } from 'node:crypto';

/** Letters and digits that form no words and are not mistaken for each other (upstream: util/rand). */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const generatedBaseMax = 63 - suffixLength;

/** `length` characters that may stand in any name. */
export function randomSuffix(length = suffixLength): string {
  return [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** A name that begins with `base` and is very likely free. */
export function generateName(base: string): string {
  return base.slice(0, generatedBaseMax) + randomSuffix();
}
