import type { AuthConfig, Input } from '@wherry/cri';
import type { Secret } from '@wherry/kubeapi';

interface DockerAuth {
  username?: string;
  password?: string;
  auth?: string;
  identitytoken?: string;
}

/** Registries and what to say to them, as found in pull secrets. */
export type RegistryCredentials = ReadonlyMap<string, Input<AuthConfig>>;

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');

/** Reads `kubernetes.io/dockerconfigjson` and `kubernetes.io/dockercfg` secrets; others are left out. */
export function registryCredentials(secrets: readonly Secret[]): RegistryCredentials {
  const found = new Map<string, Input<AuthConfig>>();
  for (const { type, data = {} } of secrets) {
    const registries =
      type === 'kubernetes.io/dockercfg'
        ? readJson(data['.dockercfg'])
        : (readJson(data['.dockerconfigjson'])?.['auths'] as Record<string, unknown> | undefined);
    for (const [registry, auth] of Object.entries(registries ?? {})) {
      found.set(registryKey(registry), authConfig(auth as DockerAuth));
    }
  }
  return found;
}

function readJson(base64: string | undefined): Record<string, unknown> | undefined {
  if (base64 === undefined) return undefined;
  try {
    return JSON.parse(decoded(base64)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function authConfig({ username, password, auth, identitytoken }: DockerAuth): Input<AuthConfig> {
  const [user = '', ...rest] = auth ? decoded(auth).split(':') : [];
  return {
    username: username ?? user,
    password: password ?? rest.join(':'),
    identityToken: identitytoken ?? '',
  };
}

const dockerHub = 'docker.io';
const dockerHubAliases = new Set(['index.docker.io', 'registry-1.docker.io', 'docker.io']);

function registryKey(registry: string): string {
  const bare = registry.replace(/^https?:\/\//, '').replace(/\/(v[12]\/?)?$/, '');
  return dockerHubAliases.has(bare) ? dockerHub : bare;
}

/** Credentials for `image`, the longest matching registry path first; empty when none matches. */
export function credentialsFor(image: string, credentials: RegistryCredentials): Input<AuthConfig>[] {
  const first = image.split('/')[0] ?? '';
  const isQualified = image.includes('/') && (/[.:]/.test(first) || first === 'localhost');
  const repository = isQualified ? image : `${dockerHub}/${image}`;
  return [...credentials]
    .filter(([registry]) => repository === registry || repository.startsWith(`${registry}/`))
    .sort(([a], [b]) => b.length - a.length)
    .map(([, auth]) => auth);
}
