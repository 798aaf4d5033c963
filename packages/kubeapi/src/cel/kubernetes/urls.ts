/** URLs as values, read as Go reads them (upstream: pkg/cel/library/urls.go). */
import { declare, method, type Overload } from '../functions.ts';
import { bool, listOf, mapOf, objectNamed, string } from '../types.ts';
import { ArrayList, EntryMap } from '../values/collections.ts';
import { CelError, isError, Opaque, type Value } from '../values/value.ts';

const type = objectNamed('kubernetes.URL');

interface Parts {
  scheme: string;
  host: string;
  path: string;
  query: string;
}

class Url extends Opaque {
  readonly typeName = type.name;
  readonly text: string;
  readonly parts: Parts;

  constructor(text: string, parts: Parts) {
    super();
    this.text = text;
    this.parts = parts;
  }

  equals(other: Opaque): boolean {
    return other instanceof Url && other.text === this.text;
  }
}

/** Go's ParseRequestURI: absolute, or a path from the root. */
export function readUrl(text: string): Url | CelError {
  const fail = (why: string) =>
    new CelError(`URL parse error during conversion from string: parse ${JSON.stringify(text)}: ${why}`);
  if (text === '') return fail('empty url');
  if ([...text].some((character) => character < ' ' || character === '\x7f'))
    return fail('net/url: invalid control character in URL');
  const found = /^(?:([A-Za-z][-A-Za-z0-9+.]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#.*)?$/s.exec(
    text,
  );
  if (!found) return fail('invalid URI for request');
  const [, scheme = '', authority, path = '', query = ''] = found;
  if (text.startsWith(':')) return fail('missing protocol scheme');
  if (scheme === '' && !text.startsWith('/')) return fail('invalid URI for request');
  const host = (authority ?? '').replace(/^.*@/s, '');
  const wrongHost = hostComplaint(host);
  if (wrongHost !== undefined) return fail(wrongHost);
  const wrongEscape = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(path);
  if (wrongEscape) return fail(`invalid URL escape ${JSON.stringify(wrongEscape[0])}`);
  return new Url(text, { scheme: scheme.toLowerCase(), host, path, query });
}

function hostComplaint(host: string): string | undefined {
  const found = /^(\[[^\]]*\]|[^:]*)(?:(:.*))?$/s.exec(host);
  if (!found) return 'invalid port after host';
  const [, name = '', port = ''] = found;
  if (!/^(?::\d*)?$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const wrong = /[\s"<>\\^`{|}]/u.exec(name);
  return wrong ? `invalid character ${JSON.stringify(wrong[0])} in host name` : undefined;
}

const hostname = ({ parts: { host } }: Url) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');
const port = ({ parts: { host } }: Url) => /:(\d*)$/.exec(host)?.[1] ?? '';
const escapedPath = ({ parts: { path } }: Url) =>
  path.replace(/[^-A-Za-z0-9_.~!$&'()*+,/:;=@%[\]]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );

function unescapedPart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function queryOf({ parts: { query } }: Url): Value {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescapedPart(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescapedPart(equals < 0 ? '' : pair.slice(equals + 1));
    if (name !== undefined && value !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
  }
  const map = new EntryMap();
  for (const [name, each] of values) map.add(name, new ArrayList(each));
  return map;
}

export const urlLibrary: readonly Overload[] = [
  declare('url', 'string_to_url', [string], type, readUrl),
  declare('isURL', 'is_url_string', [string], bool, (text: string) => !isError(readUrl(text))),
  method('getScheme', 'url_get_scheme', [type], string, ({ parts }: Url) => parts.scheme),
  method('getHost', 'url_get_host', [type], string, ({ parts }: Url) => parts.host),
  method('getHostname', 'url_get_hostname', [type], string, hostname),
  method('getPort', 'url_get_port', [type], string, port),
  method('getEscapedPath', 'url_get_escaped_path', [type], string, escapedPath),
  method('getQuery', 'url_get_query', [type], mapOf(string, listOf(string)), queryOf),
];
