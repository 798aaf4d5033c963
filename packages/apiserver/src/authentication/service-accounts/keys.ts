import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readingSettings, SettingsError } from '../../settings-error.ts';

/** The keys of service account tokens. */
export interface ServiceAccountKeys {
  /** Signs new tokens. */
  signing: KeyObject;
  algorithm: 'RS256' | 'ES256' | 'ES384' | 'ES512';
  /** `kid` of the signing key. */
  keyId: string;
  /** Verify tokens, by key id. The signing key's public half is among them. */
  verifying: ReadonlyMap<string, KeyObject>;
}

/** Reads PEM files: one private key for signing, public or private ones for verifying. Throws {@link SettingsError} on others. */
export function readServiceAccountKeys(
  signingFile: string,
  verifyingFiles: readonly string[],
): ServiceAccountKeys {
  const signing = readKey(signingFile, createPrivateKey);
  const verifying = new Map<string, KeyObject>();
  const own = createPublicKey(signing);
  verifying.set(keyIdOf(own), own);
  for (const file of verifyingFiles) {
    const key = readKey(file, createPublicKey);
    verifying.set(keyIdOf(key), key);
  }
  return { signing, algorithm: algorithmOf(signing, signingFile), keyId: keyIdOf(own), verifying };
}

function readKey(file: string, parse: (pem: Buffer) => KeyObject): KeyObject {
  const pem = readFileSync(file);
  return readingSettings(`service account key "${file}"`, () => parse(pem));
}

/** As upstream: base64url of the SHA-256 of the public key's DER form. */
function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
}

const curves: ReadonlyMap<string, ServiceAccountKeys['algorithm']> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

/** By which algorithms others may have signed with a key. */
export function algorithmsOf(key: KeyObject): string[] {
  if (key.asymmetricKeyType === 'rsa') return ['RS256', 'RS384', 'RS512'];
  return [curves.get(key.asymmetricKeyDetails?.namedCurve ?? '') ?? []].flat();
}

function algorithmOf(key: KeyObject, file: string): ServiceAccountKeys['algorithm'] {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = curves.get(key.asymmetricKeyDetails?.namedCurve ?? '');
  if (!algorithm)
    throw new SettingsError(`service account key "${file}": want RSA or EC P-256, P-384, P-521`);
  return algorithm;
}
