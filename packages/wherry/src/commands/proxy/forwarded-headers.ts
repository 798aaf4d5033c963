import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Headers that describe one connection (RFC 9110, 7.6.1), whom it is for, or which identity a proxy vouches for. */
const ownOfHop =
  /^(?:connection|keep-alive|proxy-connection|proxy-authenticate|proxy-authorization|te|trailer|transfer-encoding|upgrade|expect|host|x-remote-.*)$/;

/** Names that a `Connection` line adds to them. */
const namedByConnection = (message: IncomingMessage): Set<string> =>
  new Set((message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** The headers of a request that go on, with the address of who sent it. */
export function requestHeaders(request: IncomingMessage): OutgoingHttpHeaders {
  const named = namedByConnection(request);
  const kept = new Map<string, string[]>();
  for (const [name, values = []] of Object.entries(request.headersDistinct))
    if (!ownOfHop.test(name) && !named.has(name)) kept.set(name, values);
  const address = request.socket.remoteAddress;
  if (address) kept.set('x-forwarded-for', [[...(kept.get('x-forwarded-for') ?? []), address].join(', ')]);
  const single = [...kept].map(([name, values]): [string, string | string[]] => [
    name,
    values.length === 1 ? (values[0] ?? '') : values,
  ]);
  return Object.fromEntries(single);
}

/** The header lines of an answer that go on, name and value by turns. */
export function answerHeaders(answer: IncomingMessage): string[] {
  const named = namedByConnection(answer);
  const kept: string[] = [];
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (!ownOfHop.test(lower) && !named.has(lower)) kept.push(name, value);
  }
  return kept;
}
