import { ImageError } from '../errors.ts';
import type { RegistryHost } from '../hosts/registry-host.ts';

/** Who pulls or pushes, as callers say it: as in docker's config files and in CRI's AuthConfig; unknown members are empty. */
export interface RegistryAuth {
  username: string;
  password: string;
  /** base64 of `user:password`. */
  auth: string;
  /** The host that it is for; empty for the registry of the image. */
  serverAddress: string;
  /** Exchanged for access tokens (OAuth 2 refresh token). */
  identityToken: string;
  /** Sent as it is. */
  registryToken: string;
}

/** What proves who is pulling. */
export interface Credentials {
  username: string;
  password: string;
  /** Exchanged for access tokens (OAuth 2 refresh token). */
  identityToken: string;
  /** Sent as it is. */
  registryToken: string;
}

function hostOf(address: string): string {
  const withScheme = /^[a-z]+:\/\//.test(address) ? address : `https://${address}`;
  return URL.canParse(withScheme) ? new URL(withScheme).host : '';
}

/** The user and password inside base64 `user:password`, as docker's config files have it. Throws `ImageError` INVALID_ARGUMENT. */
function decodeAuth(auth: string): { username: string; password: string } {
  if (auth === '') return { username: '', password: '' };
  const text = Buffer.from(auth, 'base64').toString('utf8').replace(/\0+$/, '');
  const colon = text.indexOf(':');
  if (colon >= 0 && /^[A-Za-z0-9+/]+=*\s*$/.test(auth))
    return { username: text.slice(0, colon), password: text.slice(colon + 1) };
  throw new ImageError('INVALID_ARGUMENT', 'auth of a registry is no base64 of "user:password"');
}

/**
 * The credentials that may go to an endpoint: only to the host they are for, and never to a mirror that the request
 * did not name. Throws `ImageError` INVALID_ARGUMENT.
 */
export function credentialsFor(
  auth: RegistryAuth | undefined,
  { root, isMirror }: RegistryHost,
  domain: string,
): Credentials | undefined {
  if (!auth) return undefined;
  const { host } = new URL(root);
  const meant = auth.serverAddress === '' ? '' : hostOf(auth.serverAddress);
  const isDomain = meant === '' || meant === domain || meant === `index.${domain}`;
  if (meant !== host && !(isDomain && !isMirror)) return undefined;
  const given = auth.username !== '' ? auth : decodeAuth(auth.auth);
  const { identityToken, registryToken } = auth;
  if (given.username === '' && identityToken === '' && registryToken === '') return undefined;
  return { username: given.username, password: given.password, identityToken, registryToken };
}
