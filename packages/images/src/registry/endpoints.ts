import { isIPv4 } from 'node:net';

/** Where to ask for images of one domain. */
export interface Endpoint {
  /** Scheme, host and port, without a slash at the end. */
  base: string;
  /** The domain that a mirror is asked about; absent for the registry itself. */
  mirrorOf?: string | undefined;
}

/** Mirrors by domain: base URLs, asked in order before the registry itself. */
export type RegistryMirrors = Readonly<Record<string, readonly string[]>>;

/** Docker's registry answers under another name than its images carry. */

/** Whether a host (with or without port) is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}

function schemeOf(host: string): 'http' | 'https' {
  const port = /:(\d+)$/.exec(host)?.[1];
  return isLoopback(host) && port !== undefined && port !== '443' ? 'http' : 'https';
}

/** The endpoints of a domain in the order to try: mirrors, then the registry; plain http only on this machine. */
export function endpointsOf(domain: string, mirrors: RegistryMirrors): Endpoint[] {
  const host = domain === 'docker.io' ? 'registry-1.docker.io' : domain;
  const own: Endpoint = { base: `${schemeOf(host)}://${host}` };
  const before = Object.hasOwn(mirrors, domain) ? (mirrors[domain] ?? []) : [];
  return [...before.map((url) => ({ base: url.replace(/\/+$/, ''), mirrorOf: domain })), own];
}
