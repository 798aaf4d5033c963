import { isLoopbackHost } from '@wherry/bytes';
import { limits } from '../limits.ts';
import { allCapabilities, plainTls, type RegistryHost } from './registry-host.ts';

/** Docker's registry answers under another name than its images carry. */
const answersAs: Readonly<Record<string, string>> = { 'docker.io': 'registry-1.docker.io' };

/** The host of the API that belongs to the domain of an image's name. */
export const hostOfDomain = (domain: string): string =>
  Object.hasOwn(answersAs, domain) ? (answersAs[domain] as string) : domain;

/** A root of the API from parts that were checked. */
export function rootOf(protocol: 'http:' | 'https:', host: string): string {
  const url = new URL('https://registry/v2');
  url.protocol = protocol;
  url.host = host;
  return url.href;
}

/**
 * The registry that an image's name itself says: https, and on this machine's loopback https without verification, then
 * plain http, unless the port tells (containerd: core/remotes/docker/config/hosts.go).
 */
export function defaultHost(domain: string, repository: string): RegistryHost {
  const host = hostOfDomain(domain);
  const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  const isLocal = isLoopbackHost(name);
  const isPlain = isLocal && port !== undefined && port !== '443';
  const isAmbiguous = isPlain && port !== '80';
  return {
    root: rootOf(isPlain ? 'http:' : 'https:', host),
    repository,
    capabilities: allCapabilities,
    headers: {},
    tls: isLocal ? { ...plainTls, skipsVerification: true } : plainTls,
    dialTimeoutMs: limits.dialTimeoutMs,
    prefersTls: isAmbiguous,
    isMirror: false,
  };
}
