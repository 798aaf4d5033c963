import { createHash } from 'node:crypto';
import type { AuthConfig, Input } from '@wherry/cri';
import { goJson, type Secret } from '@wherry/kubeapi';
import type { PullSecret, PullServiceAccount } from './pull-records/pull-record.ts';
import { isMeant, type RegistryPlace, registryPlace } from './registry-match.ts';

/** What to say to a registry, and whose it is. */
export interface PullLogin {
  auth: Input<AuthConfig>;
  /** The secret that it stands in. */
  secret?: PullSecret;
  /** The account whose token a plug-in made it of. Without either it is the node's own. */
  serviceAccount?: PullServiceAccount;
}

interface Entry {
  key: string;
  place: RegistryPlace;
  login: PullLogin;
}

/** What the pull secrets of a pod say: registries and what to say to them, several for one where there are several. */
export interface RegistryCredentials {
  entries: readonly Entry[];
  /** Why a secret could not be read: no image is pulled then. */
  problem?: Error;
}

/** No pull secrets. */
export const noCredentials: RegistryCredentials = { entries: [] };

const dockerHub = 'docker.io';
/** Key under which logins to Docker Hub are kept. */
const dockerHubKey = 'index.docker.io';

/** Reads `kubernetes.io/dockerconfigjson` and `kubernetes.io/dockercfg` secrets, in their order; others are left out. */
export function registryCredentials(secrets: readonly Secret[]): RegistryCredentials {
  try {
    return { entries: secrets.flatMap(entriesOf) };
  } catch (error) {
    return { entries: [], problem: error as Error };
  }
}

/** What a plug-in says: names of registries, and what to say to them. */
export function pluginCredentials(
  logins: Readonly<Record<string, { username: string; password: string }>>,
  serviceAccount: PullServiceAccount | undefined,
): RegistryCredentials {
  const entries = Object.entries(logins).map(([registry, { username, password }]) =>
    entryOf(registry, { auth: { username, password }, ...(serviceAccount && { serviceAccount }) }),
  );
  return { entries };
}

/**
 * What to say for `image`, one after the other: the most precise entry first (by upstream's order, the reverse of the
 * alphabet), those of one registry in the order of the secrets. Empty when none is meant for it. Throws what was wrong
 * with a secret.
 */
export function credentialsFor(image: string, { entries, problem }: RegistryCredentials): PullLogin[] {
  if (problem) throw problem;
  const place = registryPlace(repositoryOf(image));
  const meant = entries.filter((entry) => isMeant(entry.place, place));
  const isHub = place.labels.join('.') === dockerHub || place.labels.join('.') === dockerHubKey;
  const chosen = meant.length === 0 && isHub ? entries.filter(({ key }) => key === dockerHubKey) : meant;
  return chosen.toSorted((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0)).map(({ login }) => login);
}

/** An image's full name without tag and digest: what plug-ins are asked for. A first part without a dot, port or capital letter belongs to Docker Hub, as the runtime reads it. */
export function repositoryOf(image: string): string {
  const name = image.replace(/@.*$/s, '').replace(/:[^/:]*$/, '');
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `${dockerHub}/library/${name}`;
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  return isHost ? name : `${dockerHub}/${name}`;
}

function entriesOf({ type, data = {}, metadata }: Secret): Entry[] {
  const isOld = type === 'kubernetes.io/dockercfg';
  if (!isOld && type !== 'kubernetes.io/dockerconfigjson') return [];
  const text = data[isOld ? '.dockercfg' : '.dockerconfigjson'];
  if (!text) return [];
  try {
    const document = objectOf(JSON.parse(decoded(text)));
    const registries = objectOf(isOld ? document : (document['auths'] ?? {}));
    return Object.entries(registries).map(([registry, login]) => {
      const { email, ...auth } = authConfig(objectOf(login));
      const { name = '', namespace = '', uid = '' } = metadata;
      const credentialHash = hashOf(auth, email);
      return entryOf(registry, { auth, secret: { uid, namespace, name, credentialHash } });
    });
  } catch (error) {
    const what = `pull secret "${metadata.namespace}/${metadata.name}"`;
    throw new Error(`${what} can not be read: ${(error as Error).message}`, { cause: error });
  }
}

function entryOf(registry: string, login: PullLogin): Entry {
  const bare = registry.replace(/^https?:\/\//, '');
  const { labels, port, path } = registryPlace(bare);
  const inside = path.replace(/^\/v[12](?=\/)/, '');
  const place = { labels, port, path: inside === '/' ? '' : inside };
  const key = `${labels.join('.')}${port && `:${port}`}${place.path}`;
  return { key, place, login };
}

interface SecretLogin {
  username: string;
  password: string;
  identityToken: string;
  email: string;
}

function authConfig(login: Record<string, unknown>): SecretLogin {
  const { username, password } = login['auth']
    ? splitAuth(textOf(login['auth']))
    : { username: textOf(login['username']), password: textOf(login['password']) };
  return { username, password, identityToken: textOf(login['identitytoken']), email: textOf(login['email']) };
}

/** As upstream's records have it: of the login as JSON (k8s.io/kubernetes pkg/credentialprovider hashAuthConfig). */
function hashOf({ username, password, identityToken }: Omit<SecretLogin, 'email'>, email: string): string {
  const fields = { username, password, email, identitytoken: identityToken };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  return createHash('sha256').update(goJson(given)).digest('hex');
}

/** Reads base64 of `username:password`. */
function splitAuth(auth: string): { username: string; password: string } {
  const text = decoded(auth);
  const colon = text.indexOf(':');
  if (colon < 0)
    throw new Error('unable to parse auth field, must be formatted as base64(username:password)');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('error occurred while trying to unmarshal json');
  return value as Record<string, unknown>;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new Error('error occurred while trying to unmarshal json');
  return value;
}

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');
