import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RegistryAuth } from '@wherry/images';
import { CommandError } from '../../errors.ts';

interface DockerConfig {
  auths?: Record<string, Partial<Record<'auth' | 'username' | 'password' | 'identitytoken', string>>>;
}

/**
 * Who pulls or pushes an image: `USER:PASSWORD`, else what `docker login` left in `$DOCKER_CONFIG/config.json` or
 * `~/.docker/config.json`, else nobody. Throws `CommandError` for what cannot be read.
 */
export function registryAuth(image: string, creds: string | undefined): RegistryAuth | undefined {
  const nobody = {
    username: '',
    password: '',
    auth: '',
    serverAddress: '',
    identityToken: '',
    registryToken: '',
  };
  if (creds !== undefined) {
    const [, username, password] = /^([^:]+):(.*)$/s.exec(creds) ?? [];
    if (username === undefined || password === undefined) {
      throw new CommandError('--creds takes USER:PASSWORD');
    }
    return { ...nobody, username, password };
  }
  const { auths = {} } = readDockerConfig();
  const hosts = hostsOf(registryOf(image));
  const [, found] = Object.entries(auths).find(([key]) => hosts.includes(hostOf(key))) ?? [];
  if (!found) return undefined;
  const { username = '', password = '', auth = '', identitytoken: identityToken = '' } = found;
  return { ...nobody, username, password, auth, identityToken };
}

/** The registry in an image's name, as docker has it: what looks like a host, else docker.io. */
export function registryOf(image: string): string {
  const [first = '', rest] = image.split('/', 2);
  return rest !== undefined && (/[.:]/.test(first) || first === 'localhost') ? first : 'docker.io';
}

/** How config files name a registry. */
const hostsOf = (registry: string): string[] =>
  registry === 'docker.io' ? ['index.docker.io', 'docker.io', 'registry-1.docker.io'] : [registry];

/** The host in a config file's key, which may be a URL. */
const hostOf = (key: string): string => key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

function readDockerConfig(): DockerConfig {
  const path = join(process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker'), 'config.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as DockerConfig;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandError(`reading "${path}": ${(error as Error).message}`, { cause: error });
  }
}
