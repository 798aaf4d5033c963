import { type CipherGCMTypes, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Cipher } from './cipher.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** AES-GCM: a random nonce, the text, its tag (upstream: storage/value/encrypt/aes). `key` has 16, 24 or 32 bytes. */
export function aesGcm(key: Uint8Array): Cipher {
  const name = `aes-${key.length * 8}-gcm` as CipherGCMTypes;
  return {
    seal(plain, place) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(name, key, nonce, { authTagLength: tagBytes }).setAAD(place);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, place) {
      const end = sealed.length - tagBytes;
      if (end < nonceBytes) return undefined;
      const nonce = sealed.subarray(0, nonceBytes);
      const decipher = createDecipheriv(name, key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(place).setAuthTag(sealed.subarray(end));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
