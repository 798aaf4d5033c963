import { join } from 'node:path';
import type { ServingPair } from '@wherry/kubelet/serving-pair';
import { NodeError } from '../../errors.ts';
import type { ComponentFlags } from '../flags/component-flags.ts';

const names = ['localhost', '127.0.0.1'];

/**
 * What the pages of `component` are served with: what the flags name, or what was made earlier in `--cert-dir`, or a certificate that
 * nobody else has signed. Throws NodeError `bad-settings` on half a pair of flags.
 */
export async function servingCertificate(
  { tlsCertFile, tlsPrivateKeyFile, certDir }: ComponentFlags,
  component: string,
  nowMs: number,
): Promise<ServingPair> {
  const { ownPair, readPair } = await import('@wherry/kubelet/serving-pair');
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined)
    return readPair(tlsCertFile, tlsPrivateKeyFile);
  if (tlsCertFile !== tlsPrivateKeyFile)
    throw new NodeError('bad-settings', 'give both --tls-cert-file and --tls-private-key-file, or neither');
  return ownPair({ ...(certDir !== undefined && { folder: certDir }), name: component }, names, nowMs);
}

/** Where that pair stands; undefined where it is in memory alone. */
export function servingPaths(
  { tlsCertFile, tlsPrivateKeyFile, certDir }: ComponentFlags,
  component: string,
): readonly [certFile: string, keyFile: string] | undefined {
  if (tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined) return [tlsCertFile, tlsPrivateKeyFile];
  return certDir === undefined
    ? undefined
    : [join(certDir, `${component}.crt`), join(certDir, `${component}.key`)];
}
