import type { OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ProxyUpgradeOptions, UpgradeExchange } from '@wherry/upgrade';
import { ClientError } from '../errors.ts';

/** Who asks, of a request that somebody else has made. */
export interface PassedIdentity {
  /**
   * Whether what the request says of who asks (`authorization`, `impersonate-…`, `cookie`, a token among the sub-protocols of a
   * WebSocket) goes on, in place of what the client would say. Default false: it is taken out, as is `x-remote-…`, so that all is
   * asked as the client.
   */
  bringsCredentials?: boolean | undefined;
}

/** Where on the server a request goes that somebody else has made. */
interface PassedPath {
  /**
   * The whole path on the server, with its query; what the server's URL has for a path is not put in front. One with `.` or `..` for
   * a segment, be it encoded, is refused: it would be another at the server than who looked at it here has seen.
   */
  path: string;
  signal?: AbortSignal | undefined;
}

/** A request that somebody else has made. */
export interface PassedRequest extends PassedIdentity, PassedPath {
  method: string;
  /** Those that go on, with names in lower case. */
  headers: OutgoingHttpHeaders;
  /** Undefined for none. */
  body?: Readable | undefined;
}

/** How what is found wrong at this hop is answered: a status and a text. Default: plain text. */
export interface RendersErrors extends Pick<ProxyUpgradeOptions, 'renderError'> {}

/** An upgrade that somebody else has asked for. */
export interface PassedUpgrade extends UpgradeExchange, PassedIdentity, PassedPath, RendersErrors {
  /** Silence after which TCP asks whether either side is still there. */
  keepAliveDelayMs?: number | undefined;
}

/** Throws `ClientError` `bad-argument` for a path that two servers could read in different ways. */
export function checkPassedPath(path: string): void {
  const [raw = ''] = path.split('?');
  if (!/^\/[^\\#\0-\x20]*$/.test(raw) || hasDotSegment(raw))
    throw new ClientError('bad-argument', `The path ${JSON.stringify(path)} can't be passed on`);
}

function hasDotSegment(raw: string): boolean {
  const plain = raw.replace(/%2e/gi, '.').replace(/%2f/gi, '/');
  return plain.split('/').some((segment) => segment === '.' || segment === '..');
}
