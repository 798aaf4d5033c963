import { type Container, type HTTPGetAction, type HTTPHeader, setOwn } from '@wherry/kubeapi';
import { hostPort } from './host-port.ts';
import { requestTarget } from './request-target.ts';

/** The number of a port that may be named among the container's ports. Throws when it is none. */
export function portNumber(port: number | string, container: Container): number {
  const number = typeof port === 'number' ? port : numberOf(port, container);
  if (number > 0 && number < 65_536) return number;
  throw new Error(`invalid port number: ${number}`);
}

function numberOf(port: string, { name: containerName, ports = [] }: Container): number {
  const named = ports.find(({ name }) => name === port)?.containerPort;
  if (named !== undefined) return named;
  if (/^[+-]?\d+$/.test(port)) return Number(port);
  throw new Error(`couldn't find port: ${JSON.stringify(port)} in container ${containerName}`);
}

/** Headers of a request, by their names in lower case. */
export type HttpHeaders = Record<string, string | string[]>;

/** Where and with which headers an httpGet handler asks. */
export interface HttpTarget {
  url: URL;
  /** What is asked for there: in {@link url} dots and escapes are not as they were written. */
  path: string;
  headers: HttpHeaders;
}

/** Of a handler of that container. Throws for a port that has no number. */
export function httpTarget(
  get: HTTPGetAction,
  context: { podIp: string; container: Container; userAgent: string },
): HttpTarget {
  const host = get.host || context.podIp;
  const scheme = (get.scheme ?? 'HTTP').toLowerCase();
  const path = requestTarget(get.path ?? '');
  const authority = hostPort(host, portNumber(get.port, context.container));
  const url = new URL(`${scheme}://${authority}${path}`);
  // The port is said whichever it is.
  const headers = { host: authority, ...headersOf(get.httpHeaders ?? [], context.userAgent) };
  return { url, path, headers };
}

/** Of what these say a request has one; an empty one leaves the header out. */
const single: readonly string[] = ['host', 'user-agent'];
/** What these say is the request's own affair: it has no body (Go: Request.Write). */
const ofTheBody: readonly string[] = ['content-length', 'transfer-encoding', 'trailer'];

/** A header that is named twice is sent twice. */
function headersOf(listed: readonly HTTPHeader[], userAgent: string): HttpHeaders {
  const values = new Map<string, string[]>([
    ['user-agent', [userAgent]],
    ['accept', ['*/*']],
  ]);
  const byName = Map.groupBy(listed, ({ name }) => name.toLowerCase());
  for (const [name, same] of byName)
    values.set(
      name,
      same.map(({ value = '' }) => value),
    );
  for (const name of ofTheBody) values.delete(name);
  const headers: HttpHeaders = {};
  for (const [name, [first = '', ...more]] of values) {
    const isSingle = single.includes(name);
    if (first === '' && (isSingle || name === 'accept')) continue;
    setOwn(headers, name, isSingle || more.length === 0 ? first : [first, ...more]);
  }
  return headers;
}
