import { validateHeaderName, validateHeaderValue } from 'node:http';
import { resolve } from 'node:path';
import { limits } from '../limits.ts';
import { defaultHost, hostOfDomain } from './default-host.ts';
import { parseGoDuration } from './go-duration.ts';
import {
  allCapabilities,
  type ClientCertificate,
  type HostCapability,
  type HostTls,
  type RegistryHost,
} from './registry-host.ts';
import { complaintOf, parseToml, TomlReader } from './toml.ts';

/** A `hosts.toml` and for which repository it is read. */
export interface HostsFile {
  /** Its path: relative ones in it start from its folder. */
  file: string;
  folder: string;
  text: string;
  domain: string;
  repository: string;
  /** It is the file of all registries without one: its server is nobody's own. */
  isDefault: boolean;
}

/** The hosts that a file names, and its members that have no meaning. */
export interface ReadHosts {
  hosts: RegistryHost[];
  unknown: string[];
}

/**
 * Reads containerd's `hosts.toml`: the hosts in the order of the file, then the server, with the file's own settings at
 * its top (containerd: docs/hosts.md, core/remotes/docker/config/hosts.go). Throws `ImageError` INVALID_ARGUMENT.
 */
export function parseHostsToml(source: HostsFile): ReadHosts {
  const complain = complaintOf(source.file);
  const top = new TomlReader(parseToml(source.text, complain), '', complain);
  const server = top.text('server');
  const tables = top.tables('host');
  const hosts = [
    ...tables.map(([address, table]) => hostOf(source, { address, role: 'mirror' }, table)),
    hostOf(source, { address: server || undefined, role: 'server' }, top),
  ];
  return { hosts, unknown: [top, ...tables.map(([, table]) => table)].flatMap((table) => table.unread()) };
}

/** A host of the file, or the registry itself; without an address it is where the image's name says. */
interface Place {
  address: string | undefined;
  role: 'mirror' | 'server';
}

function hostOf(source: HostsFile, { address, role }: Place, table: TomlReader): RegistryHost {
  const { domain, repository } = source;
  const overridesPath = table.flag('override_path') ?? false;
  const given = readTls(source.folder, table);
  const settings = {
    capabilities: readCapabilities(table),
    headers: readHeaders(table),
    dialTimeoutMs: readTimeout(table),
  };
  const isTlsSaid =
    given.authorities.length > 0 || given.certificates.length > 0 || given.skipsVerification !== undefined;
  if (address === undefined) {
    const own = defaultHost(domain, repository);
    return {
      ...own,
      ...settings,
      capabilities: allCapabilities,
      tls: isTlsSaid ? { ...own.tls, ...given } : own.tls,
    };
  }
  const url = parseAddress(address, overridesPath, table);
  const own = [domain, hostOfDomain(domain)].map((host) => URL.parse(`${url.protocol}//${host}`)?.host);
  const isElsewhere = !own.includes(url.host);
  return {
    ...settings,
    root: url.href.replace(/\/+$/, ''),
    repository,
    tls: given,
    // A port 80 that is written leaves no doubt; a URL drops it.
    prefersTls: url.protocol === 'http:' && isTlsSaid && !/^http:\/\/[^/]*:80(?:\/|$)/.test(address),
    isMirror: isElsewhere && (role === 'mirror' || source.isDefault),
    namespace: isElsewhere ? domain : undefined,
  };
}

function parseAddress(address: string, overridesPath: boolean, table: TomlReader): URL {
  const url = URL.parse(/^https?:\/\//.test(address) ? address : ['https', address].join('://'));
  const isPlain = url?.username === '' && url.search === '' && url.hash === '';
  if (!url || !isPlain)
    throw table.wrong('host', `or server is "${address}", want a URL such as https://mirror.example:5000`);
  url.pathname = url.pathname.replace(/\/+$/, '');
  if (!overridesPath && !url.pathname.endsWith('/v2'))
    url.pathname += url.pathname.endsWith('/') ? 'v2' : '/v2';
  return url;
}

/** A capability of containerd 2.2: nobody asks here what refers to an image. */
const unasked = 'referrers';

function readCapabilities(table: TomlReader): ReadonlySet<HostCapability> {
  const named = table.texts('capabilities') ?? [];
  const known = named.map((name) => name.toLowerCase());
  const odd = known.find((name) => !allCapabilities.has(name as HostCapability) && name !== unasked);
  if (odd !== undefined)
    throw table.wrong('capabilities', `has "${odd}", want pull, resolve, push or referrers`);
  return named.length === 0 ? allCapabilities : new Set(known as HostCapability[]);
}

function readTls(folder: string, table: TomlReader): HostTls {
  const authorities = (table.texts('ca') ?? []).map((path) => resolve(folder, path));
  return {
    authorities,
    certificates: readCertificates(folder, table),
    skipsVerification: table.flag('skip_verify'),
  };
}

/** One file with certificate and key, several such, or pairs of files. */
function readCertificates(folder: string, table: TomlReader): ClientCertificate[] {
  const value = table.value('client');
  if (value === undefined) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    const files: unknown[] = Array.isArray(item) ? item : [item, item];
    const [certificate, key] = files;
    if (files.length !== 2 || typeof certificate !== 'string' || typeof key !== 'string')
      throw table.wrong('client', 'wants a file, several, or pairs of certificate and key');
    return { certificate: resolve(folder, certificate), key: resolve(folder, key || certificate) };
  });
}

function readHeaders(table: TomlReader): Record<string, string[]> {
  const value = table.value('header');
  if (value === undefined) return {};
  const complain = (why: string) => table.wrong('header', why);
  const headers = new TomlReader(value, 'header', complain);
  return Object.fromEntries(
    Object.keys(value as object).map((name) => {
      const values = headers.texts(name) ?? [];
      try {
        validateHeaderName(name);
        for (const one of values) validateHeaderValue(name, one);
      } catch {
        throw complain(`has "${name}", which HTTP cannot carry`);
      }
      return [name, values];
    }),
  );
}

function readTimeout(table: TomlReader): number {
  const text = table.text('dial_timeout') ?? '';
  if (text === '') return limits.dialTimeoutMs;
  const timeoutMs = parseGoDuration(text);
  if (timeoutMs === undefined) throw table.wrong('dial_timeout', `is "${text}", want such as 3s or 200ms`);
  return timeoutMs === 0 ? limits.dialTimeoutMs : timeoutMs;
}
