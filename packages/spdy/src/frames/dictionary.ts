/** Words that stand in the dictionary each behind its 32-bit length, in the order of the draft. */
const words = [
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow',
  'authorization cache-control connection content-base content-encoding content-language content-length',
  'content-location content-md5 content-range content-type date etag expect expires from host if-match',
  'if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma',
  'proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade',
  'user-agent vary via warning www-authenticate method get status 200_OK version HTTP/1.1 url public set-cookie',
  'keep-alive origin',
]
  .join(' ')
  .split(' ')
  .map((word) => word.replace('_', ' '));

/** Status codes that stand in a row behind the words. */
const statusCodes = [
  '100 101 201 202 205 206 300 302 303 304 305 306 307 402 405 406 407 408 409 410 411 412 413 414 415 416 417 502',
  '504 505',
]
  .join(' ')
  .replaceAll(' ', '');

/** The rest: status lines, dates, media types and directives, without separators between them. */
const text = [
  '203 Non-Authoritative Information',
  '204 No Content',
  '301 Moved Permanently',
  '400 Bad Request',
  '401 Unauthorized',
  '403 Forbidden',
  '404 Not Found',
  '500 Internal Server Error',
  '501 Not Implemented',
  '503 Service Unavailable',
  'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT',
  'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,',
  'text/javascript,public',
  'private',
  'max-age=',
  'gzip,deflate,sdch',
  'charset=utf-8',
  'charset=iso-8859-1,utf-,*,enq=0.',
].join('');

function lengthPrefixed(word: string): Buffer {
  const bytes = Buffer.alloc(4 + word.length);
  bytes.writeUInt32BE(word.length);
  bytes.write(word, 4, 'latin1');
  return bytes;
}

/**
 * The preset zlib dictionary of SPDY/3 header blocks (SPDY protocol draft 3.1, section 2.6.10.1): 1423 bytes with
 * Adler-32 e3c6a7c2.
 */
export const headerDictionary: Uint8Array = Buffer.concat([
  ...words.map(lengthPrefixed),
  Buffer.from(statusCodes + text, 'latin1'),
]);
