import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Ground } from '../ground/ground.ts';

/** A serving certificate and its key, PEM. */
export interface ServingCertificate {
  cert: Buffer;
  key: Buffer;
}

const lifeDays = 365;
const dayMs = 24 * 3_600_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** The configured pair; without one, a self-signed pair that is made once and kept in the certificate folder. */
export async function servingCertificate({
  configuration,
  certDir,
  clock,
  hostIps,
  nodeName,
}: Ground): Promise<ServingCertificate> {
  const { tlsCertFile, tlsPrivateKeyFile } = configuration;
  if (tlsCertFile) return readPair(tlsCertFile, tlsPrivateKeyFile);
  const [certFile, keyFile] = [join(certDir, 'kubelet.crt'), join(certDir, 'kubelet.key')];
  try {
    return await readPair(certFile, keyFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const pair = await selfSigned(nodeName, [nodeName, ...hostIps, '127.0.0.1', 'localhost'], clock.nowMs());
  await mkdir(certDir, { recursive: true, mode: 0o750 });
  await writeFile(keyFile, pair.key, { mode: 0o600 });
  await writeFile(certFile, pair.cert, { mode: 0o644 });
  return pair;
}

async function readPair(certFile: string, keyFile: string): Promise<ServingCertificate> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return { cert, key };
}

async function selfSigned(
  nodeName: string,
  names: readonly string[],
  nowMs: number,
): Promise<ServingCertificate> {
  cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const alternatives = names.map((value) => ({
    type: isIP(value) ? ('ip' as const) : ('dns' as const),
    value,
  }));
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${nodeName}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(nowMs - 300_000),
    notAfter: new Date(nowMs + lifeDays * dayMs),
    extensions: [
      new SubjectAlternativeNameExtension(alternatives),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const lines = key.match(/.{1,64}/g) ?? [];
  const keyPem = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;
  return { cert: Buffer.from(certificate.toString('pem')), key: Buffer.from(keyPem) };
}
