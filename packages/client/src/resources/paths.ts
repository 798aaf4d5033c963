import { ClientError } from '../errors.ts';
import type { ResourceType } from '../objects/objects.ts';

/** Query parameters; undefined ones are left out, lists repeat the key. */
export type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

/** What a path points at below a resource. */
export interface PathParts {
  namespace?: string | undefined;
  name?: string | undefined;
  subresource?: string | undefined;
  query?: Query | undefined;
}

/**
 * The URL path of a resource, an object or a sub-resource, with its query. Throws `ClientError` `bad-argument` for a namespace, a
 * name or a sub-resource that would lead elsewhere.
 */
export function resourcePath(type: ResourceType, parts: PathParts): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const segments: string[] = [];
  if (type.namespaced && parts.namespace) segments.push('namespaces', segment('namespace', parts.namespace));
  segments.push(type.plural);
  if (parts.name !== undefined) segments.push(segment('resource name', parts.name));
  for (const part of parts.subresource?.split('/') ?? []) segments.push(segment('subresource', part));
  return `${root}/${segments.map(encodeURIComponent).join('/')}${queryString(parts.query)}`;
}

/** Servers take a path apart once its escapes are undone: what has a slash in it would be two segments there. */
function segment(what: string, text: string): string {
  if (text === '') throw new ClientError('bad-argument', `${what} may not be empty`);
  const mayNot =
    text === '.' || text === '..'
      ? [`may not be '${text}'`]
      : ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`);
  if (mayNot.length === 0) return text;
  throw new ClientError('bad-argument', `invalid ${what} ${JSON.stringify(text)}: [${mayNot.join(' ')}]`);
}

/** `?a=b&c=d`, or nothing. */
export function queryString(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (Array.isArray(value)) for (const entry of value) parameters.append(key, entry);
    else parameters.append(key, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
