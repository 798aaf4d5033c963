import { createHmac, randomBytes } from 'node:crypto';
import { aesGcm } from '../aes-gcm.ts';
import type { Cipher } from '../cipher.ts';

const infoBytes = 32;

/** What a seed has at least. */
export const seedBytes = 32;

/**
 * AES-GCM by a key of each value's own, which follows from a seed and 32 random bytes in front of it (HKDF-Expand with SHA-256,
 * RFC 5869; upstream: aes_extended_nonce.go): one seed seals any number of values.
 */
export function seededGcm(seed: Uint8Array): Cipher {
  // One block of HKDF is a whole key.
  const keyOf = (info: Uint8Array) => createHmac('sha256', seed).update(info).update(Buffer.of(1)).digest();
  return {
    seal(plain, place) {
      const info = randomBytes(infoBytes);
      return Buffer.concat([info, aesGcm(keyOf(info)).seal(plain, place)]);
    },
    open(sealed, place) {
      if (sealed.length < infoBytes) return undefined;
      const info = sealed.subarray(0, infoBytes);
      return aesGcm(keyOf(info)).open(sealed.subarray(infoBytes), place);
    },
  };
}
