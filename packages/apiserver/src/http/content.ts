import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Request headers that decide how content is sent. */
export type ContentHeaders = Pick<IncomingHttpHeaders, 'accept' | 'accept-encoding' | 'if-none-match'>;

/** Content that a client may keep. */
export interface Content {
  type: string;
  /** Names this version of the content; the ETag without its quotes. */
  hash: string;
  /** Asked for only when the client has not got this version. */
  body(): Buffer | string;
  /** `gzip` when `body()` is compressed. */
  encoding?: 'gzip' | undefined;
}

/** Sends content with its ETag, or 304 without a body to a client that names this version (RFC 9110, 13.1.2). */
export function sendContent(headers: ContentHeaders, response: ServerResponse, content: Content): void {
  if (!response.hasHeader('cache-control')) response.setHeader('cache-control', 'no-cache, private');
  response.setHeader('etag', `"${content.hash}"`);
  response.setHeader('vary', 'Accept, Accept-Encoding');
  if (isKept(headers['if-none-match'], content.hash)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const body = Buffer.from(content.body());
  response.setHeader('content-type', content.type);
  response.setHeader('content-length', body.length);
  if (content.encoding) response.setHeader('content-encoding', content.encoding);
  response.end(body);
}

/** True when `gzip` stands in an Accept-Encoding header and is not refused there. */
export function takesGzip({ 'accept-encoding': accepted = '' }: ContentHeaders): boolean {
  return String(accepted)
    .split(',')
    .some((text) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$)|$)/i.test(text));
}

function isKept(ifNoneMatch: string | undefined, hash: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((text) => {
    const tag = text.trim().replace(/^W\//, '');
    return tag === '*' || tag === `"${hash}"`;
  });
}
