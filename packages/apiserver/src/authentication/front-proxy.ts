import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { ClientAuthorities } from './client-authorities.ts';
import type { UserInfo } from './identity.ts';

/** By which headers a proxy says who asks. */
export interface FrontProxyHeaders {
  username: readonly string[];
  uid: readonly string[];
  group: readonly string[];
  extraPrefix: readonly string[];
}

/** By which headers a proxy says who asks, as the server's options say. */
export const frontProxyHeaders = (options: {
  requestheaderUsernameHeaders?: readonly string[] | undefined;
  requestheaderUidHeaders?: readonly string[] | undefined;
  requestheaderGroupHeaders?: readonly string[] | undefined;
  requestheaderExtraHeadersPrefix?: readonly string[] | undefined;
}): FrontProxyHeaders => ({
  username: options.requestheaderUsernameHeaders ?? ['X-Remote-User'],
  uid: options.requestheaderUidHeaders ?? ['X-Remote-Uid'],
  group: options.requestheaderGroupHeaders ?? ['X-Remote-Group'],
  extraPrefix: options.requestheaderExtraHeadersPrefix ?? ['X-Remote-Extra-'],
});

/** The file of who certifies proxies; undefined where none is believed, since no header is named that says who asks. */
export const frontProxyAuthority = (options: {
  requestheaderClientCaFile?: string | undefined;
  requestheaderUsernameHeaders?: readonly string[] | undefined;
}): string | undefined =>
  options.requestheaderUsernameHeaders?.length ? options.requestheaderClientCaFile : undefined;

/** What is believed of proxies in front of this server. */
export interface FrontProxyOptions {
  authorities: ClientAuthorities;
  /** Common names that their certificates may have; none: any. */
  allowedNames: readonly string[];
  headers: FrontProxyHeaders;
}

/**
 * Users by the word of a proxy that knew them, and shows a certificate of its own (upstream: authenticating proxies, request headers).
 * Who shows none is not believed, whatever its headers say.
 */
export class FrontProxyUsers {
  readonly #options: FrontProxyOptions;
  readonly #proxies = new WeakMap<TLSSocket, { endsAtMs: number } | null>();

  constructor(options: FrontProxyOptions) {
    this.#options = options;
  }

  /** Undefined: the connection is no proxy's, or it names nobody. */
  find(request: IncomingMessage, socket: TLSSocket, nowMs: number): UserInfo | undefined {
    const { username, uid, group, extraPrefix } = this.#options.headers;
    const fields = fieldsOf(request);
    const name = firstOf(fields, username);
    if (name === '' || !this.#isProxy(socket, nowMs)) return undefined;
    return {
      name,
      uid: firstOf(fields, uid),
      groups: group.flatMap((header) => valuesOf(fields, header)).filter((value) => value !== ''),
      extra: extraOf(fields, extraPrefix),
    };
  }

  #isProxy(socket: TLSSocket, nowMs: number): boolean {
    let proxy = this.#proxies.get(socket);
    if (proxy === undefined) {
      const { authorities, allowedNames } = this.#options;
      const { subject, valid_to: endsAt } = socket.getPeerCertificate();
      const isAllowed =
        allowedNames.length === 0 || (typeof subject?.CN === 'string' && allowedNames.includes(subject.CN));
      proxy = isAllowed && authorities.isOfFrontProxy(socket) ? { endsAtMs: Date.parse(endsAt) } : null;
      this.#proxies.set(socket, proxy);
    }
    return proxy !== null && nowMs <= proxy.endsAtMs;
  }
}

type Field = readonly [name: string, value: string];

const lower = (text: string) => text.toLowerCase();

/** A request's header lines, names in lower case. */
function fieldsOf({ rawHeaders }: IncomingMessage): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    fields.push([lower(rawHeaders[at] ?? ''), rawHeaders[at + 1] ?? '']);
  return fields;
}

const valuesOf = (fields: readonly Field[], header: string): string[] => {
  const wanted = lower(header);
  return fields.flatMap(([name, value]) => (name === wanted ? [value] : []));
};

/** The first line of the first header that says something. */
const firstOf = (fields: readonly Field[], headers: readonly string[]): string =>
  headers.map((header) => valuesOf(fields, header)[0] ?? '').find((value) => value !== '') ?? '';

function extraOf(fields: readonly Field[], prefixes: readonly string[]): UserInfo['extra'] {
  const extra = new Map<string, string[]>();
  for (const prefix of prefixes.map(lower))
    for (const [name, value] of fields) {
      if (!name.startsWith(prefix)) continue;
      const key = decoded(name.slice(prefix.length));
      extra.set(key, [...(extra.get(key) ?? []), value]);
    }
  return Object.fromEntries(extra);
}

/** A key that is not percent-encoded as it should be stays as it is. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Names that begin so are handed on to nobody (dialing/forwarded-headers.ts, and the proxy of upgrades). */
const neverHandedOn = 'x-remote-';

/**
 * Takes out of a request what says who asks, whoever has sent it: this server says it anew to extension servers, which are told to believe
 * the same headers. Undefined where these are handed on to nobody anyway.
 */
export function identityRemover({
  username,
  uid,
  group,
  extraPrefix,
}: FrontProxyHeaders): ((request: IncomingMessage) => void) | undefined {
  const isHandedOn = (name: string) => !name.startsWith(neverHandedOn);
  const names = new Set([...username, ...uid, ...group].map(lower).filter(isHandedOn));
  const prefixes = extraPrefix.map(lower).filter(isHandedOn);
  if (names.size === 0 && prefixes.length === 0) return undefined;
  const isOut = (name: string) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return ({ headers, rawHeaders }) => {
    for (const name of Object.keys(headers)) if (isOut(name)) delete headers[name];
    // Node counts the lines before it looks at them, so that none may go.
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      if (isOut(lower(rawHeaders[at] ?? ''))) rawHeaders[at] = `${neverHandedOn}taken`;
  };
}
