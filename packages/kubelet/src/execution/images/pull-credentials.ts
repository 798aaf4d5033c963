import type { AuthConfig, Input } from '@wherry/cri';
import type { Secret } from '@wherry/kubeapi';
import { isMeant, type RegistryPlace, registryPlace } from './registry-match.ts';

interface Entry {
  key: string;
  place: RegistryPlace;
  auth: Input<AuthConfig>;
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

/**
 * What to say for `image`, one after the other: the most precise entry first (by upstream's order, the reverse of the
 * alphabet), those of one registry in the order of the secrets. Empty when none is meant for it. Throws what was wrong
 * with a secret.
 */
export function credentialsFor(
  image: string,
  { entries, problem }: RegistryCredentials,
): Input<AuthConfig>[] {
  if (problem) throw problem;
  const place = registryPlace(repositoryOf(image));
  const meant = entries.filter((entry) => isMeant(entry.place, place));
  const isHub = place.labels.join('.') === dockerHub || place.labels.join('.') === dockerHubKey;
  const chosen = meant.length === 0 && isHub ? entries.filter(({ key }) => key === dockerHubKey) : meant;
  return chosen.toSorted((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0)).map(({ auth }) => auth);
}

/** The image's full name without tag and digest. A first part without a dot or port belongs to Docker Hub. */
function repositoryOf(image: string): string {
  const name = image.replace(/@.*$/s, '').replace(/:[^/:]*$/, '');
  const [first = '', ...rest] = name.split('/');
  if (rest.length === 0) return `${dockerHub}/library/${name}`;
  return /[.:]/.test(first) || first === 'localhost' ? name : `${dockerHub}/${name}`;
}

function entriesOf({ type, data = {}, metadata }: Secret): Entry[] {
  const isOld = type === 'kubernetes.io/dockercfg';
  if (!isOld && type !== 'kubernetes.io/dockerconfigjson') return [];
  const text = data[isOld ? '.dockercfg' : '.dockerconfigjson'];
  if (!text) return [];
  try {
    const document = objectOf(JSON.parse(decoded(text)));
    const registries = objectOf(isOld ? document : (document['auths'] ?? {}));
    return Object.entries(registries).map(([registry, login]) => entryOf(registry, objectOf(login)));
  } catch (error) {
    const what = `pull secret "${metadata.namespace}/${metadata.name}"`;
    throw new Error(`${what} can not be read: ${(error as Error).message}`, { cause: error });
  }
}

function entryOf(registry: string, login: Record<string, unknown>): Entry {
  const bare = registry.replace(/^https?:\/\//, '');
  const { labels, port, path } = registryPlace(bare);
  const inside = path.replace(/^\/v[12](?=\/)/, '');
  const place = { labels, port, path: inside === '/' ? '' : inside };
  const key = `${labels.join('.')}${port && `:${port}`}${place.path}`;
  return { key, place, auth: authConfig(login) };
}

function authConfig(login: Record<string, unknown>): Input<AuthConfig> {
  const { username, password } = login['auth']
    ? splitAuth(textOf(login['auth']))
    : { username: textOf(login['username']), password: textOf(login['password']) };
  return { username, password, identityToken: textOf(login['identitytoken']) };
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
