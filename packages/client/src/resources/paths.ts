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

/** The URL path of a resource, an object or a sub-resource, with its query. */
export function resourcePath(type: ResourceType, parts: PathParts): string {
  const root = type.group === '' ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const segments: string[] = [];
  if (type.namespaced && parts.namespace) segments.push('namespaces', parts.namespace);
  segments.push(type.plural);
  if (parts.name !== undefined) segments.push(parts.name);
  if (parts.subresource) segments.push(...parts.subresource.split('/'));
  for (const segment of segments) {
    if (segment === '' || segment === '.' || segment === '..') {
      throw new ClientError('bad-argument', `"${segment}" can't be part of the path of ${type.plural}`);
    }
  }
  return `${root}/${segments.map(encodeURIComponent).join('/')}${queryString(parts.query)}`;
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
