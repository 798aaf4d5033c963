import { isLoopbackHost } from '@wherry/bytes';
import { ImageError } from '../errors.ts';
import { leadsHere } from '../hosts/this-machine.ts';
import { limits } from '../limits.ts';
import type { TransportAnswer, TransportRequest } from '../transport/transport.ts';
import { readBytes, unread } from './answer-body.ts';
import type { Challenge } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import { followRedirects } from './redirects.ts';

/** What a token is asked for with. */
export interface TokenRequest {
  challenge: Challenge;
  repository: string;
  credentials: Credentials | undefined;
  /** The registry itself: where it is reached by plain http, or on this machine, so may its token server be. */
  registry: URL;
  /** Sends to the token server (`isNamed`), or where that one leads. */
  send(url: URL, request: Omit<TransportRequest, 'signal'>, isNamed: boolean): Promise<TransportAnswer>;
  refusal(answer: TransportAnswer, url: URL): Promise<ImageError>;
}

/** The header of user and password; undefined without them. */
export function basicAuthorization(credentials: Credentials | undefined): string | undefined {
  if (!credentials?.username) return undefined;
  return basic(credentials.username, credentials.password);
}

const basic = (username: string, secret: string) =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;

/** Fetches an access token from the server that a challenge names. Throws `ImageError`. */
export async function fetchToken(request: TokenRequest): Promise<string> {
  const { challenge, registry, refusal } = request;
  const { realm = '' } = challenge.parameters;
  const url = URL.parse(realm);
  if (!url) throw new ImageError('UNKNOWN', `the registry names the token server "${realm}", no URL`);
  if (leadsHere(url) && !leadsHere(registry))
    throw new ImageError(
      'UNKNOWN',
      `token server ${url.host} is on this machine, and the registry ${registry.host} is not, so nothing is sent to it`,
    );
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname) && registry.protocol !== 'http:')
    throw new ImageError(
      'UNKNOWN',
      `token server ${url.host} is not reached by https, so nothing is sent to it`,
    );
  const answer = (await exchanged(url, request)) ?? (await ask(url, request, byGet(url, request)));
  if (answer.status >= 400) throw await refusal(answer, url);
  return tokenOf(await readBytes(answer, limits.registryAnswerBytesMax), url);
}

/** What a server without OAuth says to its POST: GCR 404, Artifactory 401, ACR 400 (containerd: authorizer.go). */
const withoutPost = new Set([301, 302, 303, 400, 401, 404, 405]);

/** What the server gives for a refresh token by POST (OAuth 2); undefined without one, or where it knows no POST. */
async function exchanged(url: URL, request: TokenRequest): Promise<TransportAnswer | undefined> {
  const { challenge, repository, credentials } = request;
  if (!credentials?.identityToken) return undefined;
  const { service, scope } = askedFor(challenge, repository);
  const body = new URLSearchParams({
    service,
    scope,
    grant_type: 'refresh_token',
    refresh_token: credentials.identityToken,
    client_id: 'wherry',
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await ask(url, request, { method: 'POST', headers, body: Buffer.from(body.toString()) });
  if (!withoutPost.has(answer.status)) return answer;
  unread(answer);
  return undefined;
}

/** The request of docker's token protocol, to be sent to `url`. */
function byGet(
  url: URL,
  { challenge, repository, credentials }: TokenRequest,
): Omit<TransportRequest, 'signal'> {
  const { service, scope } = askedFor(challenge, repository);
  if (service !== '') url.searchParams.set('service', service);
  for (const one of scope.split(' ')) if (one !== '') url.searchParams.append('scope', one);
  const { username = '', password = '', identityToken = '' } = credentials ?? {};
  const secret = password || identityToken;
  return { headers: username || secret ? { authorization: basic(username, secret) } : {} };
}

function askedFor({ parameters }: Challenge, repository: string): { service: string; scope: string } {
  return {
    service: parameters['service'] ?? '',
    scope: parameters['scope'] || `repository:${repository}:pull`,
  };
}

/** Follows redirects; what proves who asks goes to nobody but the token server. */
function ask(
  start: URL,
  { send }: TokenRequest,
  { method, headers, body }: Omit<TransportRequest, 'signal'>,
): Promise<TransportAnswer> {
  return followRedirects(start, method, async (url) => {
    if (url.host === start.host) return send(url, { method, headers, body }, true);
    if (body === undefined) return send(url, { method }, false);
    throw new ImageError(
      'UNKNOWN',
      `token server ${start.host} redirects to ${url.host}, which gets no refresh token`,
    );
  });
}

function tokenOf(body: Buffer, url: URL): string {
  try {
    const { token, access_token: accessToken } = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    const found = token ?? accessToken;
    if (typeof found === 'string' && found !== '' && !/[\r\n]/.test(found)) return found;
  } catch {
    // Told below.
  }
  throw new ImageError('UNKNOWN', `token server ${url.host} answers without a token`);
}
