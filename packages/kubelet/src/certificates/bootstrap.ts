import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ClusterAccess, KubeClient, loadClusterAccess } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { writeFileAtomic } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { stringify } from 'yaml';
import { bootstrapConnectMs } from '../limits.ts';
import { askForCertificate } from './ask-for-certificate.ts';
import { createKey } from './key.ts';
import { PairStore } from './pair-store.ts';

/** Where a kubelet that joins finds what it needs, and leaves what it gets. */
export interface BootstrapOptions {
  /** Credentials that may ask for a certificate and for nothing else. */
  bootstrapKubeconfig: string;
  /** Written once the certificate is there. */
  kubeconfig: string;
  certDir: string;
  nodeName: string;
  clock: Clock;
  logger: Logger;
  signal?: AbortSignal | undefined;
}

/** Name of the client's certificate among the files of `--cert-dir`. */
export const clientPairName = 'kubelet-client';

/** Gets a kubelet its credentials. Throws when it is refused, or when nobody answers. */
export async function bootstrap(options: BootstrapOptions): Promise<void> {
  const { bootstrapKubeconfig, kubeconfig, certDir, nodeName, clock, logger } = options;
  const { signal = new AbortController().signal } = options;
  logger.info('asking for a client certificate with the bootstrap kubeconfig', { bootstrapKubeconfig });
  const access = loadClusterAccess({ kubeconfig: bootstrapKubeconfig });
  const client = new KubeClient({ access, clock, userAgent: 'kubelet', connectRetryMs: bootstrapConnectMs });
  const draft = join(certDir, `${clientPairName}.key.tmp`);
  try {
    const key = await keptKey(draft);
    const subject = { use: 'client', nodeName, hosts: [] } as const;
    const cert = await askForCertificate(key, subject, { client, clock, signal });
    const store = new PairStore(certDir, clientPairName);
    await store.write({ cert, key }, clock.nowMs());
    await writeKubeconfig(kubeconfig, access, store.currentPath);
    await unlink(draft);
  } finally {
    client.close();
  }
}

/** Whether a kubeconfig can be read and has a client certificate that is not over: one with a token alone is made anew. */
export function holds(kubeconfig: string, nowMs: number): boolean {
  try {
    const { tls } = loadClusterAccess({ kubeconfig });
    return tls.cert !== undefined && new X509Certificate(tls.cert).validToDate.getTime() > nowMs;
  } catch {
    return false;
  }
}

/** The key outlives a restart, so that what was asked for with it can still be answered. */
async function keptKey(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = createKey();
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFileAtomic(path, key);
  return key;
}

async function writeKubeconfig(
  path: string,
  { server, tls, proxy }: ClusterAccess,
  pairPath: string,
): Promise<void> {
  const cluster = {
    server: server.href.replace(/\/$/, ''),
    ...(tls.ca ? { 'certificate-authority-data': tls.ca.toString('base64') } : {}),
    ...(tls.rejectUnauthorized ? {} : { 'insecure-skip-tls-verify': true }),
    ...(tls.servername ? { 'tls-server-name': tls.servername } : {}),
    ...(proxy ? { 'proxy-url': proxy.href } : {}),
  };
  const context = { cluster: 'default-cluster', user: 'default-auth', namespace: 'default' };
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'default-cluster', cluster }],
    users: [{ name: 'default-auth', user: { 'client-certificate': pairPath, 'client-key': pairPath } }],
    contexts: [{ name: 'default-context', context }],
    'current-context': 'default-context',
  };
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, stringify(document));
}
