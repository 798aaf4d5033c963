/**
 * Issues the certificates of a node: X.509 v3 (RFC 5280) with ECDSA P-256 keys. Written on `node:crypto` alone, which
 * signs a node's six certificates in a few milliseconds; loading a certificate library takes longer than that.
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { join } from 'node:path';
import {
  bitString,
  explicitTag,
  implicitTag,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  trueValue,
  utcTime,
  utf8String,
} from './der.ts';
import type { CertificatePlan, Pki } from './pki.ts';

const dayMs = 24 * 3_600_000;
const authorityDays = 3650;
const leafDays = 365;
/** Certificates begin in the past, so that a clock that is a little behind accepts them. */
const backdatedMs = 5 * 60_000;
const privateMode = 0o600;
const publicMode = 0o644;
const authorityName = { commonName: 'wherry-ca' };

const identifiers = {
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAlternativeName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const;

/** Key usage bits as the bit string holds them, with the number of unused ones. */
const keyUsages = { digitalSignature: [0x80, 7], signCertificatesAndLists: [0x06, 1] } as const;

interface Subject {
  commonName: string;
  organization?: string | undefined;
}

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

interface Issue {
  subject: Subject;
  days: number;
  publicKey: KeyObject;
  signingKey: KeyObject;
  extensions: Buffer[];
}

/** Makes the certificate authority and the key pair that signs service account tokens. */
export function createAuthority(paths: Pki): void {
  const keys = generateKeys();
  const serviceAccount = generateKeys();
  const certificate = certify({
    subject: authorityName,
    days: authorityDays,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      extension('basicConstraints', sequence(trueValue()), { critical: true }),
      keyUsage('signCertificatesAndLists'),
      extension('subjectKeyIdentifier', octetString(keyIdentifier(keys.publicKey))),
    ],
  });
  writeKey(paths.caKey, keys.privateKey);
  writeKey(paths.serviceAccountKey, serviceAccount.privateKey);
  replaceFile(paths.serviceAccountPublicKey, publicPem(serviceAccount.publicKey), publicMode);
  // Last, because its presence is what says that the authority is complete.
  replaceFile(paths.caCert, pem(certificate), publicMode);
}

/** Issues a certificate and a fresh key for each plan, signed by the authority in `pkiDir`. */
export function issueCertificates(pkiDir: string, plans: readonly CertificatePlan[]): void {
  const signingKey = createPrivateKey(readFileSync(join(pkiDir, 'ca.key')));
  const authority = new X509Certificate(readFileSync(join(pkiDir, 'ca.crt')));
  const authorityKeyId = keyIdentifier(authority.publicKey);
  for (const plan of plans) {
    const keys = generateKeys();
    const certificate = certify({
      subject: plan,
      days: leafDays,
      publicKey: keys.publicKey,
      signingKey,
      extensions: leafExtensions(plan, keys.publicKey, authorityKeyId),
    });
    writeKey(join(pkiDir, `${plan.file}.key`), keys.privateKey);
    replaceFile(join(pkiDir, `${plan.file}.crt`), pem(certificate), publicMode);
  }
}

function certify({ subject, days, publicKey, signingKey, extensions }: Issue): Buffer {
  const now = Date.now();
  const algorithm = sequence(objectIdentifier(identifiers.ecdsaWithSha256));
  const version3 = explicitTag(0, integer(Buffer.from([2])));
  const content = sequence(
    version3,
    integer(serialNumber()),
    algorithm,
    nameOf(authorityName),
    sequence(utcTime(new Date(now - backdatedMs)), utcTime(new Date(now + days * dayMs))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicitTag(3, sequence(...extensions)),
  );
  return sequence(content, algorithm, bitString(sign('sha256', content, signingKey)));
}

function leafExtensions(plan: CertificatePlan, publicKey: KeyObject, authorityKeyId: Buffer): Buffer[] {
  const names = [
    ...(plan.dnsNames ?? []).map((name) => implicitTag(2, Buffer.from(name, 'latin1'))),
    ...(plan.ipAddresses ?? []).map((address) => implicitTag(7, addressBytes(address))),
  ];
  return [
    extension('basicConstraints', sequence(), { critical: true }),
    keyUsage('digitalSignature'),
    extension('extendedKeyUsage', sequence(objectIdentifier(identifiers[plan.usage]))),
    extension('subjectKeyIdentifier', octetString(keyIdentifier(publicKey))),
    extension('authorityKeyIdentifier', sequence(implicitTag(0, authorityKeyId))),
    ...(names.length > 0 ? [extension('subjectAlternativeName', sequence(...names))] : []),
  ];
}

function extension(name: keyof typeof identifiers, value: Buffer, { critical = false } = {}): Buffer {
  const mark = critical ? [trueValue()] : [];
  return sequence(objectIdentifier(identifiers[name]), ...mark, octetString(value));
}

function keyUsage(usage: keyof typeof keyUsages): Buffer {
  const [bits, unused] = keyUsages[usage];
  return extension('keyUsage', bitString(Buffer.from([bits]), unused), { critical: true });
}

function nameOf({ organization, commonName }: Subject): Buffer {
  const part = (id: string, text: string) => set(sequence(objectIdentifier(id), utf8String(text)));
  const organizations = organization ? [part(identifiers.organization, organization)] : [];
  return sequence(...organizations, part(identifiers.commonName, commonName));
}

/** SHA-1 of the public point, as RFC 5280 §4.2.1.2 proposes; a name, not a protection. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  const pointBytes = 65;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha1').update(spki.subarray(-pointBytes)).digest();
}

/** An address in network order. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const gap = Array<number>(8 - before.length - after.length).fill(0);
  return Buffer.from([...before, ...gap, ...after].flatMap((group) => [group >> 8, group & 0xff]));
}

/** 127 random bits, the first of them set: positive and never shorter (RFC 5280 §4.1.2.2). */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function generateKeys(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function publicPem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function writeKey(path: string, key: KeyObject): void {
  replaceFile(path, key.export({ type: 'pkcs8', format: 'pem' }).toString(), privateMode);
}

function replaceFile(path: string, text: string, mode: number): void {
  writeFileSync(`${path}.draft`, text, { mode });
  renameSync(`${path}.draft`, path);
}
