/** Loaded when such a certificate is made: its libraries take 3 MiB and a tenth of a second. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const lifeDays = 365;
const dayMs = 24 * 3_600_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A serving certificate of a node that nobody else has signed, and its key, PEM. */
export async function selfSigned(
  nodeName: string,
  names: readonly string[],
  nowMs: number,
): Promise<{ cert: Buffer; key: Buffer }> {
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
