import { existsSync } from 'node:fs';
import { type Clock, systemClock } from '@wherry/clock';
import type { Kubeconfig, KubeconfigCluster } from '../config/kubeconfig.ts';
import { kubeconfigPaths, loadKubeconfig } from '../config/load-kubeconfig.ts';
import { ClientError } from '../errors.ts';
import { execCredentials } from '../exec-plugin/exec-credentials.ts';
import type { PluginPolicy } from '../exec-plugin/plugin-policy.ts';
import { oidcCredentials } from '../oidc/oidc-credentials.ts';
import { proxyFromEnvironment } from '../proxy/proxy-from-environment.ts';
import type { ClusterAccess, TlsMaterial } from '../transport/cluster-access.ts';
import type { CredentialSource } from '../transport/credentials.ts';
import type { AccessOptions } from './access-options.ts';
import { type Choice, choose } from './choice.ts';
import { inClusterAccess } from './in-cluster.ts';
import { TlsFiles } from './tls-files.ts';
import { tlsMaterial } from './tls-material.ts';
import { TokenFile } from './token-file.ts';
import { impersonation, userHeaders } from './user-headers.ts';
import { validateChoice } from './validate.ts';

/**
 * Finds the cluster and the user as kubectl does. Throws `ClientError` `bad-config`; plugins are run only when the
 * first request needs them.
 */
export function loadClusterAccess(options: AccessOptions = {}): ClusterAccess {
  const { kubeconfig, server, environment = process.env } = options;
  const isThere = kubeconfigPaths(kubeconfig, environment).some((path) => existsSync(path));
  if (kubeconfig !== undefined || isThere) {
    const config = loadKubeconfig(kubeconfig, environment);
    if (kubeconfig !== undefined || server || config.clusters.size > 0) return accessFrom(config, options);
  } else if (server) return accessFrom(emptyKubeconfig(), options);
  const inCluster = inClusterAccess(environment, undefined, options);
  return inCluster ?? accessFrom(loadKubeconfig(kubeconfig, environment), options);
}

function emptyKubeconfig(): Kubeconfig {
  return {
    currentContext: '',
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    userFiles: new Map(),
  };
}

/** The access that one context of an already loaded kubeconfig gives. Throws `ClientError` `bad-config`. */
export function accessFrom(config: Kubeconfig, options: AccessOptions = {}): ClusterAccess {
  const { environment = process.env, clock = systemClock } = options;
  const choice = choose(config, options);
  validateChoice(choice);
  const { cluster, clusterName, user, userName, namespace } = choice;
  const server = parseServer(cluster.server ?? '', clusterName);
  const proxy = proxyOf(cluster, server, environment);
  const disableCompression = cluster['disable-compression'] === true;
  const common = { server, namespace, proxy, disableCompression };
  // Credentials never travel in clear text: a user's are read for https alone, as client-go does.
  if (server.protocol !== 'https:') {
    const fixed = impersonation(user);
    return { ...common, tls: { rejectUnauthorized: true }, headers: () => fixed };
  }
  const tls = tlsMaterial(choice);
  const tlsFiles = TlsFiles.of({ cluster, user, userName, first: tls, clock });
  const fixed = userHeaders(user);
  const { pluginPolicy, stdinInUse } = options;
  const credentials = credentialsOf(choice, { server, tls, environment, clock, pluginPolicy, stdinInUse });
  return { ...common, tls, tlsFiles, headers: () => fixed, credentials };
}

/** A server without a scheme is spoken to in http, as client-go does. */
function parseServer(server: string, clusterName: string): URL {
  const isBare = !server.includes('://');
  const url = URL.parse(isBare ? `http://${server}` : server);
  if (isBare && url && url.pathname !== '/') {
    const message = `host must be a URL or a host:port pair: ${JSON.stringify(server)}`;
    throw new ClientError('bad-config', message);
  }
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new ClientError('bad-config', `cluster "${clusterName}": "${server}" is not an http or https URL`);
  }
  url.search = '';
  url.hash = '';
  return url;
}

function proxyOf(cluster: KubeconfigCluster, server: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const explicit = cluster['proxy-url'];
  return explicit ? new URL(explicit) : proxyFromEnvironment(server, environment);
}

interface Surroundings {
  server: URL;
  tls: TlsMaterial;
  environment: NodeJS.ProcessEnv;
  clock: Clock;
  pluginPolicy: PluginPolicy | undefined;
  stdinInUse: string | undefined;
}

/** A plugin or provider is asked only for users who have nothing else to show. */
function credentialsOf(
  { cluster, user, userName, userFile }: Choice,
  { server, tls, environment, clock, pluginPolicy, stdinInUse }: Surroundings,
): CredentialSource | undefined {
  if (user.tokenFile) return new TokenFile(user.tokenFile);
  const hasOwn = user.token || user.username || user.password || tls.cert;
  if (hasOwn) return undefined;
  if (user['auth-provider']) {
    const file = userFile !== undefined && existsSync(userFile) ? userFile : undefined;
    return oidcCredentials({
      config: user['auth-provider'].config ?? {},
      file,
      userName,
      environment,
      clock,
    });
  }
  if (!user.exec) return undefined;
  return execCredentials({
    config: user.exec,
    cluster,
    server,
    ca: tls.ca,
    environment,
    clock,
    pluginPolicy,
    stdinInUse,
  });
}
