import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proxyFromEnvironment } from '../proxy/proxy-from-environment.ts';
import type { ClusterAccess } from '../transport/cluster-access.ts';
import { TokenFile } from './token-file.ts';

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The access that a pod's service account gives, or undefined outside of a pod. The token is rotated by the kubelet
 * and read again; the namespace is that of `POD_NAMESPACE`, else the service account's.
 *
 * @param folder Where the service account is mounted.
 */
export function inClusterAccess(
  environment: NodeJS.ProcessEnv = process.env,
  folder = serviceAccountFolder,
): ClusterAccess | undefined {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  const tokenPath = join(folder, 'token');
  if (!host || !port || !existsSync(tokenPath)) return undefined;
  const server = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
  return {
    server,
    tls: { ca: readIfThere(join(folder, 'ca.crt')), rejectUnauthorized: true },
    namespace:
      environment['POD_NAMESPACE'] || readIfThere(join(folder, 'namespace'))?.toString().trim() || 'default',
    headers: () => ({}),
    credentials: new TokenFile(tokenPath),
    proxy: proxyFromEnvironment(server, environment),
  };
}

/** Without a certificate authority the system's are trusted, as client-go does. */
function readIfThere(path: string): Buffer | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}
