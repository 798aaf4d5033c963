import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';

/** PEM of a fresh key. */
export function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** A digest of a key's public half: the name of what was asked for with it, so that a restart asks no second time. */
export function keyDigest(keyPem: string): string {
  const der = createPublicKey(createPrivateKey(keyPem)).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('hex');
}
