/** Issues the certificates of a node: ECDSA P-256 throughout, which is quick to make and to check. */
import { systemClock } from '@wherry/clock';
import 'reflect-metadata';
import { createPrivateKey, KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { keepFile } from '../layout/full-disk.ts';
import type { CertificatePlan, Pki } from './pki.ts';

type CryptoKey = webcrypto.CryptoKey;
type CryptoKeyPair = webcrypto.CryptoKeyPair;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const { subtle } = webcrypto;
const dayMs = 24 * 3_600_000;
const authorityDays = 3650;
const leafDays = 365;
/** Certificates begin in the past, so that a clock that is a little behind accepts them. */
const backdatedMs = 5 * 60_000;
const privateMode = 0o600;
const publicMode = 0o644;

cryptoProvider.set(webcrypto);

interface Authority {
  certificate: X509Certificate;
  key: CryptoKey;
}

/** Makes a certificate authority of that common name. */
export async function createAuthority(
  paths: { cert: string; key: string },
  commonName: string,
): Promise<void> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(authorityDays),
    serialNumber: serialNumber(),
    name: `CN=${commonName}`,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  writeKey(paths.key, privatePem(keys.privateKey));
  // Last, because its presence is what says that the authority is complete.
  writePublic(paths.cert, certificate.toString('pem'));
}

/** Makes the key pair that signs service account tokens. */
export async function createAccountKey(paths: Pki): Promise<void> {
  const keys = await generateKeys();
  writePublic(paths.serviceAccountPublicKey, await publicPem(keys.publicKey));
  writeKey(paths.serviceAccountKey, privatePem(keys.privateKey));
}

/** Issues a certificate and a fresh key for each plan, signed by its authority. */
export async function issueCertificates(paths: Pki, plans: CertificatePlan[]): Promise<void> {
  await Promise.all(
    plans.map(async (plan) => {
      const authority = await readAuthority(paths.authority(plan.authority));
      await issue(paths.certificate(plan.file), plan, authority);
    }),
  );
}

async function issue(
  paths: { cert: string; key: string },
  plan: CertificatePlan,
  authority: Authority,
): Promise<void> {
  const keys = await generateKeys();
  const organization = plan.organization ? `O=${plan.organization},` : '';
  const certificate = await X509CertificateGenerator.create({
    ...validity(leafDays),
    serialNumber: serialNumber(),
    subject: `${organization}CN=${plan.commonName}`,
    issuer: authority.certificate.subject,
    signingKey: authority.key,
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    extensions: await extensionsOf(plan, keys.publicKey, authority),
  });
  writeKey(paths.key, privatePem(keys.privateKey));
  writePublic(paths.cert, certificate.toString('pem'));
}

async function extensionsOf(
  plan: CertificatePlan,
  key: CryptoKey,
  authority: Authority,
): Promise<Extension[]> {
  const usage = plan.usage === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth;
  const names = [
    ...(plan.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(plan.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
  ];
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([usage]),
    await SubjectKeyIdentifierExtension.create(key),
    await AuthorityKeyIdentifierExtension.create(authority.certificate),
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
  ];
}

async function readAuthority(paths: { cert: string; key: string }): Promise<Authority> {
  const certificate = new X509Certificate(readFileSync(paths.cert, 'utf8'));
  // Nodes of before 0.1.0 have theirs as PKCS #8.
  const der = createPrivateKey(readFileSync(paths.key)).export({ type: 'pkcs8', format: 'der' });
  const key = await subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  return { certificate, key };
}

async function generateKeys(): Promise<CryptoKeyPair> {
  return await subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function validity(days: number) {
  const now = systemClock.nowMs();
  return { notBefore: new Date(now - backdatedMs), notAfter: new Date(now + days * dayMs) };
}

/** 127 random bits: positive, as RFC 5280 §4.1.2.2 asks. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('hex');
}

/** As RFC 5915 says it, like kubeadm's: the client of fabric8 for Java takes any `PRIVATE KEY` for one of RSA. */
const privatePem = (key: CryptoKey) => KeyObject.from(key).export({ type: 'sec1', format: 'pem' }).toString();
const publicPem = async (key: CryptoKey) => pem('PUBLIC KEY', await subtle.exportKey('spki', key));

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

const writeKey = (path: string, text: string) =>
  keepFile(path, text, { mode: privateMode, isSettledLater: true });
const writePublic = (path: string, text: string) =>
  keepFile(path, text.endsWith('\n') ? text : `${text}\n`, { mode: publicMode, isSettledLater: true });
