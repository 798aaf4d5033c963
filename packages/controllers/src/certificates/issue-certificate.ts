import 'reflect-metadata';
import { createPrivateKey, type KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { AuthorityFiles } from '../machinery/signing-options.ts';
import type { CertificateRequest } from './certificate-request.ts';
import { keyUsagesOf } from './key-usages.ts';
import type { RequestedNames } from './signers.ts';

cryptoProvider.set(webcrypto);

/** What a certificate is to say beside its names. */
export interface CertificateTerms {
  usages: readonly string[];
  lifetimeMs: number;
  nowMs: number;
}

/** Certificates begin in the past, so that a clock that is a little behind accepts them. */
const backdatedMs = 5 * 60_000;
/** Those that live shorter do not end earlier for that. */
const shortMs = 8 * 3_600_000;

/** Signs a request with the authority's files as they now are; PEM. Throws when the authority is over. */
export async function issueCertificate(
  { pkcs10, names }: CertificateRequest,
  { certFile, keyFile }: AuthorityFiles,
  { usages, lifetimeMs, nowMs }: CertificateTerms,
): Promise<string> {
  const authority = new X509Certificate(await readFile(certFile, 'utf8'));
  const { key, signingAlgorithm } = await signingKey(createPrivateKey(await readFile(keyFile)));
  const endMs = nowMs + lifetimeMs - (lifetimeMs < shortMs ? 0 : backdatedMs);
  const latestMs = authority.notAfter.getTime();
  if (nowMs >= latestMs) throw new Error(`the signer has expired: ${authority.notAfter.toISOString()}`);
  const { bits, extended } = keyUsagesOf(usages);
  const extensions: Extension[] = [
    new BasicConstraintsExtension(false, undefined, true),
    ...(bits === 0 ? [] : [new KeyUsagesExtension(bits, true)]),
    ...(extended.length === 0 ? [] : [new ExtendedKeyUsageExtension(extended)]),
    await SubjectKeyIdentifierExtension.create(pkcs10.publicKey),
    ...authorityKey(authority),
    ...alternativeNames(names),
  ];
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    // As they stand in request and authority: whoever compares bytes finds the same name.
    subject: pkcs10.subjectName,
    issuer: authority.subjectName,
    notBefore: new Date(nowMs - backdatedMs),
    notAfter: new Date(Math.min(endMs, latestMs)),
    publicKey: pkcs10.publicKey,
    signingKey: key,
    signingAlgorithm,
    extensions,
  });
  return `${certificate.toString('pem').trimEnd()}\n`;
}

/** The authority's key as it calls that itself, whatever it made the name of: what is named otherwise OpenSSL takes for another's. */
function authorityKey(authority: X509Certificate): Extension[] {
  const named = authority.getExtension(SubjectKeyIdentifierExtension);
  return named ? [new AuthorityKeyIdentifierExtension(named.keyId)] : [];
}

function alternativeNames({ dnsNames, ipAddresses, emailAddresses, uris }: RequestedNames): Extension[] {
  const of = (type: 'dns' | 'ip' | 'email' | 'url', values: readonly string[]) =>
    values.map((value) => ({ type, value }));
  const names = [
    ...of('dns', dnsNames),
    ...of('ip', ipAddresses),
    ...of('email', emailAddresses),
    ...of('url', uris),
  ];
  return names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)];
}

const curves: ReadonlyMap<string, { namedCurve: string; hash: string }> = new Map([
  ['prime256v1', { namedCurve: 'P-256', hash: 'SHA-256' }],
  ['secp384r1', { namedCurve: 'P-384', hash: 'SHA-384' }],
  ['secp521r1', { namedCurve: 'P-521', hash: 'SHA-512' }],
]);

async function signingKey(key: KeyObject) {
  const algorithm = algorithmOf(key);
  const der = key.export({ type: 'pkcs8', format: 'der' });
  return {
    key: await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
  };
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const curve = curves.get(asymmetricKeyDetails?.namedCurve ?? '');
  if (curve) return { name: 'ECDSA', ...curve };
  throw new Error(`an authority's key is RSA or EC on P-256, P-384 or P-521, not ${asymmetricKeyType}`);
}

/** 127 random bits: positive, as RFC 5280 §4.1.2.2 asks. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('hex');
}
