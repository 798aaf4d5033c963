import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { Cipher } from './cipher.ts';

const nonceBytes = 24;
const tagBytes = 16;

/**
 * XSalsa20 and Poly1305 as NaCl's secretbox has them: a random nonce, the tag, the text (upstream:
 * storage/value/encrypt/secretbox). The place is not authenticated. `key` has 32 bytes.
 */
export function secretbox(key: Uint8Array): Cipher {
  return {
    seal(plain) {
      const nonce = randomBytes(nonceBytes);
      return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(plain)]);
    },
    open(sealed) {
      if (sealed.length < nonceBytes + tagBytes) return undefined;
      const box = xsalsa20poly1305(key, sealed.subarray(0, nonceBytes));
      try {
        const plain = box.decrypt(sealed.subarray(nonceBytes));
        return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
      } catch {
        return undefined;
      }
    },
  };
}
