import { isLoopbackHost } from '@wherry/bytes';
import { ImageError } from '../errors.ts';
import { leadsHere } from '../hosts/this-machine.ts';
import { limits } from '../limits.ts';
import type { TransportAnswer, TransportRequest } from '../transport/transport.ts';
import { unread } from './answer-body.ts';
import { RegistryUnavailableError } from './registry-unavailable.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
/** Redirects that keep method and body (RFC 9110 section 15.4). */
const keepsMethod = new Set([307, 308]);

/**
 * Sends a request where `start` says, and again where the answer leads; a redirect that would turn another method into GET
 * is an answer like any other. What may go to which host is up to `send`. Throws {@link RegistryUnavailableError} after too
 * many, `ImageError` UNKNOWN for one that leaves TLS, or leads from elsewhere to this machine.
 */
export async function followRedirects(
  start: URL,
  method: TransportRequest['method'],
  send: (url: URL) => Promise<TransportAnswer>,
): Promise<TransportAnswer> {
  let url = start;
  for (let count = 0; count <= limits.redirectsMax; count++) {
    const answer = await send(url);
    const { location } = answer.headers;
    const isFollowed =
      method === undefined || method === 'GET' || method === 'HEAD' || keepsMethod.has(answer.status);
    if (!redirects.has(answer.status) || location === undefined || !isFollowed) return answer;
    unread(answer);
    url = redirected(url, location);
  }
  throw new RegistryUnavailableError(`${start.host} redirects more than ${limits.redirectsMax} times`, {
    failure: 'unreached',
  });
}

function redirected(from: URL, location: string): URL {
  const next = URL.parse(location, from.href);
  if (!next) throw new ImageError('UNKNOWN', `${from.host} redirects to "${location}", no URL`);
  if (!leadsHere(from) && leadsHere(next))
    throw new ImageError(
      'UNKNOWN',
      `${from.host} redirects to this machine's ${next.host}, which is refused`,
    );
  if (next.protocol === 'https:' || isLoopbackHost(next.hostname) || from.protocol === 'http:') return next;
  throw new ImageError('UNKNOWN', `${from.host} redirects to plain http at ${next.host}, which is refused`);
}
