import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeError } from '../../errors.ts';
import type { ComponentFlags } from '../flags/component-flags.ts';

/** PEM. */
export interface ServingCertificate {
  cert: Buffer;
  key: Buffer;
}

const names = ['localhost', '127.0.0.1'];
const keyMode = 0o600;

/**
 * What the pages of `component` are served with: what the flags name, or what was made earlier in `--cert-dir`, or a certificate that
 * nobody else has signed. Throws NodeError `bad-settings` on half a pair.
 */
export async function servingCertificate(
  { tlsCertFile, tlsPrivateKeyFile, certDir }: ComponentFlags,
  component: string,
  nowMs: number,
): Promise<ServingCertificate> {
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined)
    return { cert: readFileSync(tlsCertFile), key: readFileSync(tlsPrivateKeyFile) };
  if (tlsCertFile !== tlsPrivateKeyFile)
    throw new NodeError('bad-settings', 'give both --tls-cert-file and --tls-private-key-file, or neither');
  const [certFile, keyFile] = ['crt', 'key'].map((end) => certDir && join(certDir, `${component}.${end}`));
  if (certFile && keyFile && existsSync(certFile) && existsSync(keyFile))
    return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  const { selfSigned } = await import('@wherry/kubelet/self-signed');
  const made = await selfSigned(component, names, nowMs);
  if (certDir && certFile && keyFile) {
    mkdirSync(certDir, { recursive: true });
    writeFileSync(keyFile, made.key, { mode: keyMode });
    writeFileSync(certFile, made.cert);
  }
  return made;
}
