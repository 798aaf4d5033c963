import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ground } from '../ground/ground.ts';

/** A serving certificate and its key, PEM. */
export interface ServingCertificate {
  cert: Buffer | string;
  key: Buffer | string;
}

/** The configured pair; without one, a self-signed pair that is made once and kept in the certificate folder. */
export async function servingCertificate({
  configuration,
  certDir,
  clock,
  addresses,
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
  const { selfSigned } = await import('../certificates/self-signed.ts');
  const pair = await selfSigned(
    nodeName,
    [nodeName, ...addresses.ips, '127.0.0.1', 'localhost'],
    clock.nowMs(),
  );
  await mkdir(certDir, { recursive: true, mode: 0o750 });
  await writeFile(keyFile, pair.key, { mode: 0o600 });
  await writeFile(certFile, pair.cert, { mode: 0o644 });
  return pair;
}

/** Reads a certificate and its key. */
export async function readPair(certFile: string, keyFile: string): Promise<ServingCertificate> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return { cert, key };
}
