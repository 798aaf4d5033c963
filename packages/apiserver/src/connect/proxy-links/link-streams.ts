import type { IncomingHttpHeaders } from 'node:http';
import { type Duplex, Transform } from 'node:stream';
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from 'node:zlib';
import { HtmlLinks } from './html-links.ts';
import { type ProxyPlace, rewriteUrl } from './rewrite-url.ts';

/**
 * What an answer's body passes through so that its links lead through the proxy; undefined when it stays as it is:
 * everything but HTML, and HTML in an encoding that nobody here reads.
 */
export function linkStreams(headers: IncomingHttpHeaders, place: ProxyPlace): Duplex[] | undefined {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim() !== 'text/html') return undefined;
  switch (headers['content-encoding'] ?? '') {
    case '':
      return [linkStream(place)];
    case 'gzip':
      return [createGunzip(), linkStream(place), createGzip()];
    case 'deflate':
      // As upstream reads and writes it: without the frame of zlib.
      return [createInflateRaw(), linkStream(place), createDeflateRaw()];
    default:
      return undefined;
  }
}

/** Bytes are taken for Latin-1, so that those of every encoding that has ASCII in it stay what they are. */
function linkStream(place: ProxyPlace): Transform {
  const links = new HtmlLinks((url) => rewriteUrl(url, place));
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, bytes(links.push(chunk.toString('latin1')))),
    flush: (done) => done(null, bytes(links.end())),
  });
}
