import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { protobufMagic } from '@wherry/kubeapi';
import type { Cipher } from './cipher.ts';

const blockBytes = 16;

/**
 * AES-CBC: a random block, then the text, padded as PKCS #7 says (upstream: storage/value/encrypt/aes). Nothing in it
 * vouches for the text, so that only what is an object is taken for opened. `key` has 16, 24 or 32 bytes.
 */
export function aesCbc(key: Uint8Array): Cipher {
  const name = `aes-${key.length * 8}-cbc`;
  return {
    seal(plain) {
      const start = randomBytes(blockBytes);
      const cipher = createCipheriv(name, key, start);
      return Buffer.concat([start, cipher.update(plain), cipher.final()]);
    },
    open(sealed) {
      if (sealed.length < 2 * blockBytes) return undefined;
      try {
        const decipher = createDecipheriv(name, key, sealed.subarray(0, blockBytes));
        const plain = Buffer.concat([decipher.update(sealed.subarray(blockBytes)), decipher.final()]);
        return isObject(plain) ? plain : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** Throws on what is neither JSON nor protobuf's. */
function isObject(plain: Buffer): boolean {
  if (protobufMagic.every((byte, at) => plain[at] === byte)) return true;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(plain);
  return text.startsWith('{') && JSON.parse(text) !== null;
}
