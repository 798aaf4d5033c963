import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key pair for 127.0.0.1, good for a day, that is its own authority. */
export interface TestCertificate {
  key: Buffer;
  cert: Buffer;
  ca: Buffer;
}

/** Makes a certificate with openssl. */
export function makeCertificate(commonName: string): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-tls-'));
  try {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name)) as [string, string];
    const subject = ['-subj', `/CN=${commonName}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
    const request = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '1',
    ];
    execFileSync('openssl', [...request, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert), ca: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
