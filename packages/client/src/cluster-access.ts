import { existsSync, readFileSync } from 'node:fs';
import { ClientError } from './errors.ts';
import {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  loadKubeconfig,
} from './kubeconfig.ts';
import { limits } from './limits.ts';

/** TLS material, PEM. */
export interface TlsMaterial {
  ca?: Buffer | undefined;
  cert?: Buffer | undefined;
  key?: Buffer | undefined;
  /** False only where the kubeconfig says `insecure-skip-tls-verify`. */
  rejectUnauthorized: boolean;
  /** Name that the server's certificate is checked against, when it is not the URL's host. */
  servername?: string | undefined;
}

/** Everything needed to talk to one API server as one user. */
export interface ClusterAccess {
  server: URL;
  tls: TlsMaterial;
  /** Namespace of the chosen context; `default` when it names none. */
  namespace: string;
  /** Credentials and impersonation as request headers, computed anew for each request (token files rotate). */
  headers(): Record<string, string>;
}

/** Which part of the kubeconfig to use. */
export interface AccessOptions {
  /** File; default: `$KUBECONFIG`, `~/.kube/config`, then the service account of the pod this runs in. */
  kubeconfig?: string | undefined;
  context?: string | undefined;
  cluster?: string | undefined;
  user?: string | undefined;
  /** Overrides the server URL of the cluster. */
  server?: string | undefined;
  /** Overrides the user's bearer token. */
  token?: string | undefined;
}

const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Finds the cluster and the user as kubectl does. Throws `ClientError` `bad-config`; users that need an `exec`
 * plugin or an `auth-provider` are refused by name.
 */
export function loadClusterAccess(options: AccessOptions = {}): ClusterAccess {
  let config: Kubeconfig;
  try {
    config = loadKubeconfig(options.kubeconfig);
  } catch (error) {
    const inPod = inClusterAccess();
    if (options.kubeconfig === undefined && inPod) return inPod;
    throw error;
  }
  return accessFrom(config, options);
}

/** The access that one context of an already loaded kubeconfig gives. */
export function accessFrom(config: Kubeconfig, options: AccessOptions = {}): ClusterAccess {
  const contextName = options.context ?? config.currentContext;
  const context = config.contexts.get(contextName);
  if (!context && (options.context || !options.cluster)) {
    throw new ClientError('bad-config', `context "${contextName}" does not exist in the kubeconfig`);
  }
  const clusterName = options.cluster ?? context?.cluster ?? '';
  const cluster = config.clusters.get(clusterName);
  if (!cluster)
    throw new ClientError('bad-config', `cluster "${clusterName}" does not exist in the kubeconfig`);
  const userName = options.user ?? context?.user ?? '';
  const user = config.users.get(userName);
  if (!user && userName !== '') {
    throw new ClientError('bad-config', `user "${userName}" does not exist in the kubeconfig`);
  }
  return {
    server: parseServer(options.server ?? cluster.server, clusterName),
    tls: tlsOf(cluster, user ?? {}),
    namespace: context?.namespace || 'default',
    headers: headersOf(userName, options.token ? { ...user, token: options.token } : (user ?? {})),
  };
}

function parseServer(server: string, clusterName: string): URL {
  try {
    return new URL(server);
  } catch {
    throw new ClientError('bad-config', `cluster "${clusterName}": "${server}" is not a URL`);
  }
}

function tlsOf(cluster: KubeconfigCluster, user: KubeconfigUser): TlsMaterial {
  return {
    ca: material(cluster['certificate-authority-data'], cluster['certificate-authority']),
    cert: material(user['client-certificate-data'], user['client-certificate']),
    key: material(user['client-key-data'], user['client-key']),
    rejectUnauthorized: cluster['insecure-skip-tls-verify'] !== true,
    servername: cluster['tls-server-name'],
  };
}

function material(data: string | undefined, path: string | undefined): Buffer | undefined {
  if (data) return Buffer.from(data, 'base64');
  if (!path) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ClientError('bad-config', `reading "${path}": ${(error as Error).message}`, { cause: error });
  }
}

function headersOf(userName: string, user: KubeconfigUser): () => Record<string, string> {
  for (const field of ['exec', 'auth-provider'] as const) {
    if (user[field]) {
      throw new ClientError(
        'bad-config',
        `user "${userName}": ${field} is not supported; use a certificate or token`,
      );
    }
  }
  const fixed: Record<string, string> = {};
  if (user.token) fixed['authorization'] = `Bearer ${user.token}`;
  else if (user.username) {
    const pair = Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64');
    fixed['authorization'] = `Basic ${pair}`;
  }
  if (user.as) fixed['impersonate-user'] = user.as;
  if (user['as-groups']) fixed['impersonate-group'] = user['as-groups'].join(', ');
  const { tokenFile } = user;
  if (user.token || !tokenFile) return () => fixed;
  const readToken = tokenReader(tokenFile);
  return () => ({ ...fixed, authorization: `Bearer ${readToken()}` });
}

/** Reads a token file at most once per `limits.tokenFileReuseMs`: such files are rotated in place. */
function tokenReader(path: string): () => string {
  let token = '';
  let readAt = -Infinity;
  return () => {
    if (performance.now() - readAt < limits.tokenFileReuseMs) return token;
    token = material(undefined, path)?.toString('utf8').trim() ?? '';
    readAt = performance.now();
    return token;
  };
}

/** The access that a pod's service account gives, or undefined outside of a pod. */
function inClusterAccess(): ClusterAccess | undefined {
  const host = process.env['KUBERNETES_SERVICE_HOST'];
  const port = process.env['KUBERNETES_SERVICE_PORT'] ?? '443';
  if (!host || !existsSync(`${serviceAccountFolder}/token`)) return undefined;
  const bracketed = host.includes(':') ? `[${host}]` : host;
  return {
    server: new URL(`https://${bracketed}:${port}`),
    tls: { ca: material(undefined, `${serviceAccountFolder}/ca.crt`), rejectUnauthorized: true },
    namespace: readFileSync(`${serviceAccountFolder}/namespace`, 'utf8').trim() || 'default',
    headers: headersOf('', { tokenFile: `${serviceAccountFolder}/token` }),
  };
}
