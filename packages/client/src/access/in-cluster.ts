import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { proxyFromEnvironment } from '../proxy/proxy-from-environment.ts';
import type { ClusterAccess } from '../transport/cluster-access.ts';
import type { AccessOptions } from './access-options.ts';
import { withClusterOptions, withUserOptions } from './choice.ts';
import { TlsFiles } from './tls-files.ts';
import { tlsMaterial } from './tls-material.ts';
import { TokenFile } from './token-file.ts';
import { userHeaders } from './user-headers.ts';

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The access that a pod's service account gives, with what the options put in its place, or undefined outside of a pod. The token
 * is rotated by the kubelet and read again; the namespace is that of `POD_NAMESPACE`, else the service account's.
 *
 * @param folder Where the service account is mounted.
 */
export function inClusterAccess(
  environment: NodeJS.ProcessEnv = process.env,
  folder = serviceAccountFolder,
  options: AccessOptions = {},
): ClusterAccess | undefined {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  const tokenPath = join(folder, 'token');
  if (!host || !port || !existsSync(tokenPath)) return undefined;
  const server = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
  const caPath = join(folder, 'ca.crt');
  // Without a certificate authority the system's are trusted, as client-go does.
  const cluster = withClusterOptions(existsSync(caPath) ? { 'certificate-authority': caPath } : {}, options);
  const user = withUserOptions({}, options);
  const tls = tlsMaterial({ cluster, user, userName: '' });
  const fixed = userHeaders(user);
  const hasOwn = user.token || user.username || user.password || tls.cert;
  return {
    tlsFiles: TlsFiles.of({ cluster, user, userName: '', first: tls }),
    ...{ server, tls, namespace: namespaceOf(environment, folder), headers: () => fixed },
    credentials: hasOwn ? undefined : new TokenFile(tokenPath),
    proxy: proxyFromEnvironment(server, environment),
    disableCompression: cluster['disable-compression'] === true,
  };
}

function namespaceOf(environment: NodeJS.ProcessEnv, folder: string): string {
  const path = join(folder, 'namespace');
  return environment['POD_NAMESPACE'] || (existsSync(path) && readFileSync(path, 'utf8').trim()) || 'default';
}
