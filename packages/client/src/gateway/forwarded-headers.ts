import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Headers that describe one connection (RFC 9110, 7.6.1), whom it is for, or which identity a proxy vouches for. */
const ownOfHop =
  /^(?:connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade|http2-settings|expect|host|x-remote-.*)$/;

/** What is looked at of a request or an answer, whichever version of HTTP it came by. */
export type Headed = Pick<IncomingMessage, 'rawHeaders'>;

/** The header lines that go on, by their names in lower case. */
function passedLines({ rawHeaders }: Headed): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const values = all.get(name) ?? [];
    values.push(rawHeaders[at + 1] ?? '');
    all.set(name, values);
  }
  const named = (all.get('connection') ?? []).join(',').split(',');
  for (const name of named) all.delete(name.trim().toLowerCase());
  // HTTP/2 has the request line among them.
  for (const name of all.keys()) if (name.startsWith(':') || ownOfHop.test(name)) all.delete(name);
  return all;
}

const asFields = (lines: Map<string, string[]>): OutgoingHttpHeaders =>
  Object.fromEntries([...lines].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** The headers of a request that go on, with the address of who sent it. */
export function requestHeaders(request: Headed & Pick<IncomingMessage, 'socket'>): OutgoingHttpHeaders {
  const lines = passedLines(request);
  const address = request.socket.remoteAddress;
  if (address) lines.set('x-forwarded-for', [[...(lines.get('x-forwarded-for') ?? []), address].join(', ')]);
  // HTTP/2 may bring each in a line of its own (RFC 9113, 8.2.3).
  const cookies = lines.get('cookie');
  if (cookies) lines.set('cookie', [cookies.join('; ')]);
  return asFields(lines);
}

/**
 * The headers of an answer that go on. What compresses answers on the way is told to leave this one alone: it would keep the events
 * of a watch until there are many.
 */
export function answerHeaders(answer: Headed): OutgoingHttpHeaders {
  const lines = passedLines(answer);
  lines.set('cache-control', [[...(lines.get('cache-control') ?? []), 'no-transform'].join(', ')]);
  return asFields(lines);
}
