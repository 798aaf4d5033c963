import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Whom a token that lives in a secret is for. */
export interface LegacyClaims {
  namespace: string;
  name: string;
  uid: string;
  secretName: string;
}

/** A token that lives as long as its secret: signed by the key in that PEM file (upstream: pkg/serviceaccount/legacy.go). */
export async function legacyToken(
  { namespace, name, uid, secretName }: LegacyClaims,
  keyFile: string,
): Promise<string> {
  // Loaded only when somebody still wants such a token.
  const { SignJWT } = await import('jose');
  const key = createPrivateKey(await readFile(keyFile));
  const prefix = 'kubernetes.io/serviceaccount';
  const claims = {
    [`${prefix}/namespace`]: namespace,
    [`${prefix}/secret.name`]: secretName,
    [`${prefix}/service-account.name`]: name,
    [`${prefix}/service-account.uid`]: uid,
  };
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithmOf(key), kid: keyIdOf(key) })
    .setIssuer('kubernetes/serviceaccount')
    .setSubject(`system:serviceaccount:${namespace}:${name}`)
    .sign(key);
}

/** As upstream: base64url of the SHA-256 of the public key's DER form. */
function keyIdOf(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('base64url');
}

const curves: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  const algorithm = curves.get(asymmetricKeyDetails?.namedCurve ?? '');
  if (algorithm) return algorithm;
  throw new Error('a service account key is RSA or EC on P-256, P-384 or P-521');
}
