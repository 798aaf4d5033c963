import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@wherry/clock';
import { unauthorized } from '@wherry/kubeapi';
import type { Histogram, MetricsRegistry } from '@wherry/telemetry';
import { tlsSocketOf } from '../http/carrier.ts';
import { AuthenticationFigures, type AuthenticationResult } from './authentication-figures.ts';
import type { BootstrapTokens } from './bootstrap-tokens.ts';
import { endOfCertificateMs, hasCertificate, userOfCertificate } from './certificates.ts';
import type { ClientAuthorities } from './client-authorities.ts';
import { mayAskUnknown } from './configuration/anonymous.ts';
import type { AnonymousSettings } from './configuration/authentication-configuration.ts';
import type { FrontProxyUsers } from './front-proxy.ts';
import { anonymous, groups, type UserInfo } from './identity.ts';
import type { JwtAuthentication } from './jwt/jwt-authentication.ts';
import type { ServiceAccountTokens } from './service-accounts/tokens.ts';
import type { TokenFile } from './token-file.ts';
import type { KnownToken, TokenWebhook } from './token-webhook.ts';

/** Where identities come from. */
export interface AuthenticatorOptions {
  clock: Clock;
  metrics: MetricsRegistry;
  authorities: ClientAuthorities;
  /** Users by the word of proxies that the authorities certify, where there are such. */
  frontProxy?: Pick<FrontProxyUsers, 'find'> | undefined;
  /** Takes what says who asks out of a request of somebody known, where it could be handed on. */
  removeIdentity?: ((request: IncomingMessage) => void) | undefined;
  serviceAccountTokens: ServiceAccountTokens;
  tokenFile?: TokenFile | undefined;
  bootstrapTokens?: BootstrapTokens | undefined;
  jwt?: Pick<JwtAuthentication, 'find'> | undefined;
  /** Asked last, since it is elsewhere. */
  webhook?: Pick<TokenWebhook, 'find'> | undefined;
  /** Whether who shows nothing may ask. */
  anonymous: AnonymousSettings;
}

const hour = 3600;
const day = 24 * hour;
/** Upstream's bounds of what is left of certificates. */
const leftSeconds = [
  ...[0, hour / 2, hour, 2 * hour, 6 * hour, 12 * hour],
  ...[1, 2, 4, 7, 30, 90, 180, 360].map((days) => days * day),
];

/** Finds out who sends a request: by a proxy's word, its client certificate, then bearer token, else anonymous. */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #left: Histogram;
  readonly #figures: AuthenticationFigures;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#figures = new AuthenticationFigures(options.metrics);
    this.#left = options.metrics.plainHistogram(
      'apiserver_client_certificate_expiration_seconds',
      'What was left of the certificate by which a request was known.',
      leftSeconds,
    );
  }

  /**
   * Throws 401 when a certificate or bearer token was sent and none is good, or nothing was and that may not be; other words
   * for a sender are not looked at, as upstream. `warnings` gets what the sender may not have meant.
   */
  async authenticate(request: IncomingMessage, warnings: string[] = []): Promise<UserInfo> {
    const { clock } = this.#options;
    const startedMs = clock.monotonicMs();
    let result: AuthenticationResult = 'error';
    try {
      const user = await this.#identify(request, warnings);
      if (!user) result = 'failure';
      if (!user) throw unauthorized();
      result = 'success';
      this.#options.removeIdentity?.(request);
      this.#figures.isKnown(user.name);
      return user;
    } finally {
      this.#figures.ended(result, clock.monotonicMs() - startedMs);
    }
  }

  /** Undefined: nothing was shown, and that may not be. Throws 401 for what is no good. */
  async #identify(request: IncomingMessage, warnings: string[]): Promise<UserInfo | undefined> {
    const socket = tlsSocketOf(request);
    const nowMs = this.#options.clock.nowMs();
    const { authorities, frontProxy } = this.#options;
    const brought = socket && frontProxy?.find(request, socket, nowMs);
    if (brought) return withAuthenticated(brought);
    const certified = socket && userOfCertificate(socket, authorities, nowMs);
    if (certified) {
      this.#left.observe(((endOfCertificateMs(socket) ?? nowMs) - nowMs) / 1000);
      return withAuthenticated(certified);
    }
    const token = bearerToken(request, warnings);
    if (token !== undefined) {
      const known = await this.bearerOf(token);
      if (!known) throw unauthorized();
      if (known.warning !== undefined) warnings.push(known.warning);
      return withAuthenticated(known.user);
    }
    if (socket && hasCertificate(socket)) throw unauthorized();
    return mayAskUnknown(this.#options.anonymous, request.url ?? '/') ? anonymous : undefined;
  }

  /** Whose a token is that is for one of `audiences`; those that it is for come with him. Default: this server's own. */
  async bearerOf(
    token: string,
    audiences: readonly string[] = this.#options.serviceAccountTokens.audiences,
  ): Promise<KnownToken | undefined> {
    const { serviceAccountTokens: accounts, jwt, webhook } = this.#options;
    // Other tokens than those of service accounts are for this server, whatever they say themselves.
    const own = accounts.audiences.filter((audience) => audiences.includes(audience));
    const isOwn = own.length > 0;
    const fixed = isOwn ? await this.#fixed(token) : undefined;
    if (fixed) return { user: fixed, audiences: own };
    const account = await accounts.verify(token, audiences);
    if (account) return account;
    const user = isOwn ? await jwt?.find(token) : undefined;
    if (user) return { user, audiences: own };
    return webhook?.find(token, { audiences, own: accounts.audiences });
  }

  async #fixed(token: string): Promise<UserInfo | undefined> {
    return this.#options.tokenFile?.find(token) ?? this.#options.bootstrapTokens?.find(token);
  }
}

/** Every known user is in the group of the authenticated, but for one who is told to be unknown. */
export function withAuthenticated(user: UserInfo): UserInfo {
  const { authenticated, unauthenticated } = groups;
  if (user.groups.includes(authenticated) || user.groups.includes(unauthenticated)) return user;
  if (user.name === anonymous.name) return user;
  return { ...user, groups: [...user.groups, groups.authenticated] };
}

/** Of the sub-protocol that brings a token in base64url. */
export const webSocketTokenPrefix = 'base64url.bearer.authorization.k8s.io.';

const tokenAfterSpaces =
  'the provided Authorization header contains extra space before the bearer token, and is ignored';

/** From the Authorization header, or the WebSocket sub-protocol that browsers must use in its place. */
function bearerToken(request: IncomingMessage, warnings: string[]): string | undefined {
  const [scheme = '', token, rest] = (request.headers.authorization ?? '').trim().split(' ', 3);
  const isBearer = scheme.toLowerCase() === 'bearer';
  if (isBearer && token) return token;
  if (isBearer && rest !== undefined) warnings.push(tokenAfterSpaces);
  return /^websocket$/i.test(request.headers.upgrade ?? '')
    ? webSocketToken(request.headers['sec-websocket-protocol'] ?? '')
    : undefined;
}

/**
 * One sub-protocol may bring a token, and another one has to be there: that is what the server answers with. Throws 401
 * for others, and for what is no token (upstream: authentication/request/websocket).
 */
function webSocketToken(offered: string): string | undefined {
  const names = offered.split(',').map((name) => name.trim());
  const encoded = names.filter((name) => name.startsWith(webSocketTokenPrefix));
  if (encoded.length > 1) throw unauthorized();
  const [text = ''] = encoded.map((name) => name.slice(webSocketTokenPrefix.length));
  if (text === '') return undefined;
  const isEncoded = /^[\w-]+$/.test(text) && text.length % 4 !== 1;
  const bytes = Buffer.from(text, 'base64url');
  if (!isEncoded || !isUtf8(bytes) || names.length === 1) throw unauthorized();
  return bytes.toString();
}
