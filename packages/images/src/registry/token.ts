import { ImageError } from '../errors.ts';
import { isLoopback } from '../hosts/default-host.ts';
import { limits } from '../limits.ts';
import type { TransportAnswer, TransportRequest } from '../transport/transport.ts';
import { readBytes } from './answer-body.ts';
import type { Challenge } from './challenge.ts';
import type { Credentials } from './credentials.ts';

/** What a token is asked for with. */
export interface TokenRequest {
  challenge: Challenge;
  repository: string;
  credentials: Credentials | undefined;
  /** The registry itself is reached by plain http, so its token server may be. */
  isPlain: boolean;
  send(url: URL, request: Omit<TransportRequest, 'signal'>): Promise<TransportAnswer>;
  refusal(answer: TransportAnswer, url: URL): Promise<ImageError>;
}

/** The header of user and password; undefined without them. */
export function basicAuthorization(credentials: Credentials | undefined): string | undefined {
  if (!credentials?.username) return undefined;
  return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`;
}

/** Fetches an access token from the server that a challenge names. Throws `ImageError`. */
export async function fetchToken(request: TokenRequest): Promise<string> {
  const { challenge, isPlain, send, refusal } = request;
  const { realm = '' } = challenge.parameters;
  const url = URL.parse(realm);
  if (!url) throw new ImageError('UNKNOWN', `the registry names the token server "${realm}", no URL`);
  if (url.protocol !== 'https:' && !isLoopback(url.host) && !isPlain)
    throw new ImageError(
      'UNKNOWN',
      `token server ${url.host} is not reached by https, so nothing is sent to it`,
    );
  const answer = await send(url, tokenRequest(url, request));
  if (answer.status >= 400) throw await refusal(answer, url);
  return tokenOf(await readBytes(answer, limits.registryAnswerBytesMax), url);
}

/** A refresh token is exchanged by POST (OAuth 2), everything else by GET (docker's token protocol). */
function tokenRequest(
  url: URL,
  { challenge, repository, credentials }: TokenRequest,
): Omit<TransportRequest, 'signal'> {
  const { service = '', scope = `repository:${repository}:pull` } = challenge.parameters;
  if (credentials?.identityToken) {
    const body = new URLSearchParams({
      service,
      scope,
      grant_type: 'refresh_token',
      refresh_token: credentials.identityToken,
      client_id: 'wherry',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { method: 'POST', headers, body: Buffer.from(body.toString()) };
  }
  if (service !== '') url.searchParams.set('service', service);
  for (const one of scope.split(' ')) if (one !== '') url.searchParams.append('scope', one);
  const authorization = basicAuthorization(credentials);
  return { headers: authorization === undefined ? {} : { authorization } };
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
