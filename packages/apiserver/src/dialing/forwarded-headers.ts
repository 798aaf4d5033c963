import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isOpenEnded } from '../http/carrier.ts';

/** Headers that belong to one hop, or that say who the client is: the backend knows this server. */
const droppedHeader =
  /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade|te|trailer|host|:.*|authorization|impersonate-.*|x-remote-.*)$/;

/**
 * What of a request's headers goes on to a backend, with the client's address and path, and with how its body is parted from
 * what follows: Node writes that of a GET bare where nothing says it, and the backend would take it for a second request.
 */
export function forwardedHeaders(http: IncomingMessage): IncomingHttpHeaders {
  const headers = { ...http.headers };
  for (const name of Object.keys(headers)) if (droppedHeader.test(name)) delete headers[name];
  const address = http.socket.remoteAddress ?? '';
  headers['x-forwarded-for'] = [http.headers['x-forwarded-for'], address].filter(Boolean).join(', ');
  headers['x-forwarded-uri'] = http.url ?? '';
  if (isOpenEnded(http)) headers['transfer-encoding'] = 'chunked';
  return headers;
}
