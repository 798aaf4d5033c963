import 'reflect-metadata';
import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const day = 24 * 3600 * 1000;

/** A certificate with its key, both PEM. */
export interface Credentials {
  cert: string;
  key: string;
}

/** Whom a certificate names. */
export interface Subject {
  name: string;
  groups?: readonly string[];
  uids?: readonly string[];
  /** Names and addresses of a serving certificate. */
  hosts?: readonly string[];
  /** From now on. Default: a day. */
  lifetimeMs?: number;
}

/** A certificate authority for one test. */
export class TestAuthority {
  readonly cert: string;
  readonly #certificate: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;
  #serial = 1;

  private constructor(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#certificate = certificate;
    this.#keys = keys;
    this.cert = certificate.toString('pem');
  }

  /** `lifetimeMs` is from now on; a negative one: it has run out. */
  static async create(name: string, lifetimeMs = day): Promise<TestAuthority> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys: keys as never,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + lifetimeMs),
      signingAlgorithm: algorithm,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return new TestAuthority(certificate, keys);
  }

  /** An authority that this one has certified. */
  async intermediate(name: string): Promise<TestAuthority> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await this.#sign(keys, {
      subject: `CN=${name}`,
      lifetimeMs: day,
      extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
    });
    return new TestAuthority(certificate, keys);
  }

  /** PEM of its key, for others that sign in its name. */
  async exportKey(): Promise<string> {
    const exported = await webcrypto.subtle.exportKey('pkcs8', this.#keys.privateKey);
    return x509.PemConverter.encode(exported, 'PRIVATE KEY');
  }

  async issue({ name, groups = [], uids = [], hosts = [], lifetimeMs = day }: Subject): Promise<Credentials> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const usage = ['1.3.6.1.5.5.7.3.2', ...(hosts.length > 0 ? ['1.3.6.1.5.5.7.3.1'] : [])];
    const names = hosts.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value }) as const);
    const certificate = await this.#sign(keys, {
      subject: [
        { CN: [name] },
        ...groups.map((group) => ({ O: [group] })),
        ...uids.map((uid) => ({ '1.3.6.1.4.1.57683.2': [uid] })),
      ],
      lifetimeMs,
      extensions: [
        new x509.ExtendedKeyUsageExtension(usage),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ],
    });
    const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(exported, 'PRIVATE KEY') };
  }

  #sign(
    keys: webcrypto.CryptoKeyPair,
    {
      subject,
      lifetimeMs,
      extensions,
    }: { subject: string | x509.JsonName; lifetimeMs: number; extensions: x509.Extension[] },
  ): Promise<x509.X509Certificate> {
    return x509.X509CertificateGenerator.create({
      serialNumber: String(++this.#serial).padStart(4, '0'),
      subject,
      issuer: this.#certificate.subject,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + lifetimeMs),
      publicKey: keys.publicKey as never,
      signingKey: this.#keys.privateKey as never,
      signingAlgorithm: algorithm,
      extensions,
    });
  }
}

/** Writes texts to files of a folder; returns their paths by the same names. */
export function writeFiles<T extends Record<string, string>>(
  folder: string,
  texts: T,
): Record<keyof T, string> {
  const paths = Object.entries(texts).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return [name, path];
  });
  return Object.fromEntries(paths) as Record<keyof T, string>;
}

/** PEM of a fresh key for service account tokens. */
export function signingKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
