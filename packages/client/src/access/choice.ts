import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from '../config/kubeconfig.ts';
import { ClientError } from '../errors.ts';
import type { AccessOptions } from './access-options.ts';

/** One cluster and one user, with what the options put in place of their fields. */
export interface Choice {
  clusterName: string;
  cluster: KubeconfigCluster;
  userName: string;
  user: KubeconfigUser;
  /** Where the user's entry stands, if it stands in a file. */
  userFile: string | undefined;
  namespace: string;
}

/** Finds the cluster and the user that are meant. Throws `ClientError` `bad-config` for a name that is not there. */
export function choose(config: Kubeconfig, options: AccessOptions): Choice {
  const contextName = options.context ?? config.currentContext;
  const context = config.contexts.get(contextName);
  if (!context && contextName !== '') {
    const problem = `Error in configuration: context was not found for specified context: ${contextName}`;
    throw new ClientError('bad-config', `${problem}${listOf(config.contexts)}`);
  }
  const clusterName = options.cluster ?? context?.cluster ?? '';
  const userName = options.user ?? context?.user ?? '';
  const cluster = config.clusters.get(clusterName);
  const user = config.users.get(userName);
  if (!cluster && (options.cluster || !options.server)) refuseCluster(config, contextName, clusterName);
  if (!user && userName !== '') {
    throw new ClientError('bad-config', `auth info "${userName}" does not exist${listOf(config.users)}`);
  }
  return {
    clusterName,
    cluster: withClusterOptions(cluster ?? {}, options),
    userName,
    user: withUserOptions(user ?? {}, options),
    userFile: config.userFiles.get(userName),
    namespace: context?.namespace || 'default',
  };
}

function refuseCluster(config: Kubeconfig, contextName: string, clusterName: string): never {
  if (clusterName === '' && contextName === '') {
    throw new ClientError(
      'bad-config',
      `current-context is not set; choose a context with --context${listOf(config.contexts)}`,
    );
  }
  throw new ClientError(
    'bad-config',
    `no server found for cluster "${clusterName}"${listOf(config.clusters)}`,
  );
}

/** `; there are "a", "b"`: what the user could have meant. */
function listOf(entries: ReadonlyMap<string, unknown>): string {
  const names = [...entries.keys()].map((name) => JSON.stringify(name));
  return names.length === 0 ? '' : `; there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}

/** A cluster with what the options put in its place. */
export function withClusterOptions(cluster: KubeconfigCluster, options: AccessOptions): KubeconfigCluster {
  const { server, tlsServerName, certificateAuthority, insecureSkipTlsVerify, disableCompression } = options;
  const merged = { ...cluster };
  if (server) merged.server = server;
  if (server || tlsServerName) merged['tls-server-name'] = tlsServerName;
  if (insecureSkipTlsVerify || certificateAuthority) {
    merged['insecure-skip-tls-verify'] = insecureSkipTlsVerify;
    merged['certificate-authority'] = certificateAuthority;
    delete merged['certificate-authority-data'];
  }
  if (disableCompression) merged['disable-compression'] = true;
  return merged;
}

/** A user likewise. */
export function withUserOptions(user: KubeconfigUser, options: AccessOptions): KubeconfigUser {
  const { token, username, password, clientCertificate, clientKey, impersonate } = options;
  const merged = { ...user };
  if (token) {
    merged.token = token;
    delete merged.tokenFile;
  }
  if (username) merged.username = username;
  if (password) merged.password = password;
  if (clientCertificate) {
    merged['client-certificate'] = clientCertificate;
    delete merged['client-certificate-data'];
  }
  if (clientKey) {
    merged['client-key'] = clientKey;
    delete merged['client-key-data'];
  }
  if (impersonate?.user) merged.as = impersonate.user;
  if (impersonate?.uid) merged['as-uid'] = impersonate.uid;
  if (impersonate?.groups?.length) merged['as-groups'] = [...impersonate.groups];
  if (impersonate?.extra) merged['as-user-extra'] = mutable(impersonate.extra);
  return merged;
}

function mutable(extra: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}
