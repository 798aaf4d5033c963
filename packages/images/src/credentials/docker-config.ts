import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { hasCode } from '@wherry/linux';
import { ImageError, messageOf } from '../errors.ts';
import { limits } from '../limits.ts';
import type { RegistryAuth } from '../registry/credentials.ts';
import { askHelper, type HelperOptions } from './credential-helper.ts';

/** The parts of docker's `config.json` that say who one is. */
interface DockerConfig {
  auths: ReadonlyMap<string, unknown>;
  /** Programs by registry. */
  credHelpers: ReadonlyMap<string, unknown>;
  /** The program for all others; empty for none. */
  credsStore: string;
}

/** Where to look, and how helpers are run. */
export interface DockerCredentialsOptions extends HelperOptions {
  /** Folder of `config.json`. Default: `DOCKER_CONFIG`, else `.docker` in the home folder. */
  folder?: string | undefined;
}

/** Docker's own registry stands in its file by this name. */
const hubKey = 'https://index.docker.io/v1/';

/**
 * Who docker's configuration says one is for a registry (the domain of an image's name): by its helper, by the store of
 * all, or by `auths`, as docker asks them. Undefined when it says nothing. Throws `ImageError` for a file that cannot be
 * read, or a helper that fails.
 */
export async function dockerCredentials(
  domain: string,
  options: DockerCredentialsOptions,
): Promise<RegistryAuth | undefined> {
  const { environment = process.env } = options;
  const folder = options.folder ?? (environment['DOCKER_CONFIG'] || join(homedir(), '.docker'));
  const config = await readConfig(join(folder, 'config.json'));
  if (!config) return undefined;
  const keys = domain === 'docker.io' ? [hubKey, 'index.docker.io', 'docker.io'] : [domain];
  const helper = keys.map((key) => config.credHelpers.get(key)).find((name) => typeof name === 'string');
  const program = helper ?? config.credsStore;
  if (typeof program === 'string' && program !== '') {
    const found = await askHelper(program, keys[0] as string, options);
    if (found) return authOf({ ...found, serverAddress: domain });
  }
  const entry = [...config.auths].find(([key]) => keys.some((wanted) => hostOf(key) === hostOf(wanted)))?.[1];
  return isObject(entry) ? authOf({ ...entry, serverAddress: domain }) : undefined;
}

async function readConfig(path: string): Promise<DockerConfig | undefined> {
  try {
    if ((await stat(path)).size > limits.registryConfigBytesMax)
      throw new ImageError(
        'INVALID_ARGUMENT',
        `"${path}" is larger than ${limits.registryConfigBytesMax} bytes`,
      );
    const json: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isObject(json)) throw new ImageError('INVALID_ARGUMENT', `"${path}" is no JSON object`);
    const members = new Map(Object.entries(json));
    const mapOf = (name: string) => {
      const value = members.get(name);
      return new Map(Object.entries(isObject(value) ? value : {}));
    };
    const store = members.get('credsStore');
    return {
      auths: mapOf('auths'),
      credHelpers: mapOf('credHelpers'),
      credsStore: typeof store === 'string' ? store : '',
    };
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    if (error instanceof ImageError) throw error;
    throw new ImageError('INVALID_ARGUMENT', `"${path}" cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys are hosts, or URLs whose path tells a version of docker's protocol. */
const hostOf = (key: string): string => key.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

function authOf(given: Record<string, unknown>): RegistryAuth {
  const text = (name: string) => {
    const value = Object.hasOwn(given, name) ? given[name] : '';
    return typeof value === 'string' ? value : '';
  };
  return {
    username: text('username'),
    password: text('password'),
    auth: text('auth'),
    serverAddress: text('serverAddress'),
    identityToken: text('identitytoken'),
    registryToken: text('registrytoken'),
  };
}
