/** Whether a certificate and a key belong together (upstream: warningsForSecret, by Go's tls.X509KeyPair, in whose words it is said). */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { type PemBlock, pemBlocks } from './pem-blocks.ts';

/** What is wrong with a pair, both in PEM; undefined where it is one. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const blocks = [...pemBlocks(certificate)];
  const leaf = blocks.find(({ type }) => type === 'CERTIFICATE');
  if (!leaf) return `tls: ${noCertificate(blocks.map(({ type }) => type))}`;
  const skipped: string[] = [];
  for (const block of pemBlocks(key)) {
    if (/(^| )PRIVATE KEY$/.test(block.type)) return pairProblem(leaf, block);
    skipped.push(block.type);
  }
  return `tls: ${noKey(skipped)}`;
}

function noCertificate(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'failed to find any PEM data in certificate input';
  if (skipped.length === 1 && skipped[0]!.endsWith('PRIVATE KEY'))
    return 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function noKey(skipped: readonly string[]): string {
  if (skipped.length === 0) return 'failed to find any PEM data in key input';
  if (skipped.length === 1 && skipped[0] === 'CERTIFICATE')
    return 'found a certificate rather than a key in the PEM for the private key';
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

const knownTypes = new Set<string | undefined>(['rsa', 'ec', 'ed25519']);

function pairProblem(leaf: PemBlock, block: PemBlock): string | undefined {
  const open = attempt(() => new X509Certificate(leaf.der).publicKey);
  if (!open) return 'x509: malformed certificate';
  const found = privateKey(block.der);
  if (typeof found === 'string') return found;
  if (!knownTypes.has(open.asymmetricKeyType)) return 'tls: unknown public key algorithm';
  if (open.asymmetricKeyType !== found.asymmetricKeyType)
    return 'tls: private key type does not match public key type';
  const isPair = attempt(() => createPublicKey(found).equals(open));
  return isPair ? undefined : 'tls: private key does not match public key';
}

/** A key in one of three forms, or what is wrong with it. */
function privateKey(der: Buffer): KeyObject | string {
  for (const type of ['pkcs1', 'pkcs8', 'sec1'] as const) {
    const key = attempt(() => createPrivateKey({ key: der, format: 'der', type }));
    if (!key) continue;
    return knownTypes.has(key.asymmetricKeyType)
      ? key
      : 'tls: found unknown private key type in PKCS#8 wrapping';
  }
  return 'tls: failed to parse private key';
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
