import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasCode } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import type { Reference } from '../store/reference.ts';
import { certificateFiles } from './certificate-files.ts';
import { defaultHost } from './default-host.ts';
import { parseHostsToml } from './hosts-toml.ts';
import { RegistriesConf } from './registries-conf.ts';
import { type HostTls, plainTls, type RegistryHost } from './registry-host.ts';
import { complaintOf } from './toml.ts';

/** Where to ask for images. */
export interface HostSource {
  /** The hosts that may be asked for an image, in the order to ask. Rejects with `ImageError`. */
  hostsFor(reference: Reference): Promise<RegistryHost[]>;
}

const hostsFile = 'hosts.toml';
const defaultFolder = '_default';
const containersFile = 'registries.conf';

/**
 * A folder that says where registries are mirrored and how they are reached: containerd's layout `HOST/hosts.toml` (or
 * `HOST_PORT_/`, `_default/`, and docker's certificate files in place of `hosts.toml`), or, when it holds a
 * `registries.conf` or `registries.conf.d`, that of the containers project with its `certs.d`. Read anew for each
 * image, so that a change needs no restart.
 */
export class RegistryConfig implements HostSource {
  readonly #folder: string | undefined;

  /** Without a folder each registry is what image names say. */
  constructor(folder?: string | undefined) {
    this.#folder = folder;
  }

  /**
   * Reads everything once, and warns of what has no effect. Rejects with `ImageError` INVALID_ARGUMENT for a file that
   * says what cannot be, or with the system's error when the folder cannot be read.
   */
  async check(logger: Logger): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    const entries = await readdir(folder, { withFileTypes: true });
    const containers = await readRegistriesConf(folder);
    for (const name of containers?.ignored ?? [])
      logger.warn('a member of the registry configuration has no effect', { member: name });
    if (containers) return;
    for (const entry of entries) {
      if (entry.isFile()) continue;
      const host = entry.name.replace(/_(\d+)_$/, ':$1');
      const found = await readHostFolder(join(folder, entry.name), { domain: host, path: 'any' });
      for (const member of found?.unknown ?? [])
        logger.warn('a member of the registry configuration has no effect', {
          file: join(folder, entry.name, hostsFile),
          member,
        });
    }
  }

  async hostsFor(reference: Reference): Promise<RegistryHost[]> {
    const folder = this.#folder;
    if (folder === undefined) return [defaultHost(reference.domain, reference.path)];
    const containers = await readRegistriesConf(folder);
    if (containers) return hostsOfContainers(folder, containers, reference);
    for (const name of folderNames(reference.domain)) {
      const found = await readHostFolder(join(folder, name), reference);
      if (found) return found.hosts;
    }
    return [defaultHost(reference.domain, reference.path)];
  }
}

/** Names of a host's folder, the first that is there counts (containerd: hosts_unix.go). */
function folderNames(domain: string): string[] {
  const withPort = domain.replace(/:(\d+)$/, '_$1_');
  return [...new Set([withPort, domain, defaultFolder])];
}

async function readHostFolder(
  folder: string,
  { domain, path: repository }: Pick<Reference, 'domain' | 'path'>,
): Promise<{ hosts: RegistryHost[]; unknown: string[] } | undefined> {
  if (!(await isFolder(folder))) return undefined;
  const file = join(folder, hostsFile);
  const text = await readConfiguration(file);
  if (text)
    return parseHostsToml({
      file,
      folder,
      text,
      domain,
      repository,
      isDefault: basename(folder) === defaultFolder,
    });
  const own = defaultHost(domain, repository);
  const tls = await certificateFiles(folder);
  return { hosts: [tls === plainTls ? own : { ...own, tls }], unknown: [] };
}

/** `registries.conf` and the files of `registries.conf.d` in the order of their names; undefined without either. */
async function readRegistriesConf(folder: string): Promise<RegistriesConf | undefined> {
  const drop = `${containersFile}.d`;
  const hasDrop = await isFolder(join(folder, drop));
  const names = hasDrop
    ? (await readdir(join(folder, drop))).filter((name) => name.endsWith('.conf')).sort()
    : [];
  const conf = new RegistriesConf();
  let isThere = hasDrop;
  for (const file of [containersFile, ...names.map((name) => join(drop, name))]) {
    const text = await readConfiguration(join(folder, file));
    if (text === undefined) continue;
    conf.add(join(folder, file), text);
    isThere = true;
  }
  return isThere ? conf : undefined;
}

async function hostsOfContainers(
  folder: string,
  conf: RegistriesConf,
  reference: Reference,
): Promise<RegistryHost[]> {
  const known = new Map<string, HostTls>();
  const certs = join(folder, 'certs.d');
  if (await isFolder(certs))
    for (const name of await readdir(certs)) {
      const tls = await certificateFiles(join(certs, name));
      if (tls !== plainTls) known.set(name, tls);
    }
  const own = defaultHost(reference.domain, reference.path);
  const found = conf.hostsFor(reference, (host) => known.get(host));
  return found ?? [{ ...own, tls: known.get(reference.domain) ?? own.tls }];
}

async function isFolder(path: string): Promise<boolean> {
  const status = await stat(path).catch((error) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
  return status?.isDirectory() ?? false;
}

/** A small file; undefined when there is none. */
async function readConfiguration(file: string): Promise<string | undefined> {
  try {
    const status = await stat(file);
    // A pipe would keep one of the few threads that read files.
    if (!status.isFile()) throw complaintOf(file)('is no regular file');
    if (status.size > limits.registryConfigBytesMax)
      throw complaintOf(file)(`is larger than ${limits.registryConfigBytesMax} bytes`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
