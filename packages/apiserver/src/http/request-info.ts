import { parseFieldSelector, pathSegment } from '@wherry/kubeapi';

/** What a request is about, as authorization and routing see it (upstream: apiserver pkg/endpoints/request). */
export interface RequestInfo {
  /** False for `/healthz`, discovery and the like: only `path` and `verb` count then. */
  isResource: boolean;
  path: string;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the lower-case method otherwise. */
  verb: string;
  group: string;
  version: string;
  /** Plural. */
  resource: string;
  /** '' for the resource itself. */
  subresource: string;
  /** What follows the sub-resource (`proxy/PATH`), with its leading slash, or ''. */
  tail: string;
  namespace: string;
  /** True when the path leads through `/namespaces/NAME/`; for a namespace itself it does not. */
  isInNamespace: boolean;
  name: string;
  /** Of a list or watch: the one name that its field selector takes, as far as a path could have it; '' elsewhere. */
  selectedName: string;
}

/** The one object that a request is about: the path's, or the one that a list or watch selects; '' for none, and for several. */
export const objectNameOf = ({ name, selectedName }: Pick<RequestInfo, 'name' | 'selectedName'>): string =>
  name || selectedName;

const readingVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);

/** True for what changes nothing. */
export const isReading = ({ verb }: Pick<RequestInfo, 'verb'>): boolean => readingVerbs.has(verb);

const writeVerbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
]);

/** Sub-resources of a namespace itself; anything else after `/namespaces/NAME/` is a resource inside it. */
const namespaceSubresources = new Set(['status', 'finalize']);

/** Reads method and path. Segments are percent-decoded; throws `URIError` when one can't be. */
export function readRequestInfo(method: string, path: string, query: URLSearchParams): RequestInfo {
  const segments = path.split('/').slice(1).map(decodeURIComponent);
  const info = nonResource(method, path);
  const isCore = segments[0] === 'api';
  if (!isCore && segments[0] !== 'apis') return info;
  const rest = segments.slice(isCore ? 2 : 3);
  if (rest.length === 0 || rest[0] === '') return info;
  info.isResource = true;
  info.group = isCore ? '' : (segments[1] ?? '');
  info.version = (isCore ? segments[1] : segments[2]) ?? '';
  // The way to watch before there was `?watch=true`; a watch of one object has its name in the path there.
  const isWatchPath = rest[0] === 'watch' && Boolean(rest[1]);
  fillResource(info, isWatchPath ? rest.slice(1) : rest);
  info.verb = isWatchPath ? 'watch' : resourceVerb(method, info, query);
  // Who watches by the path is known by the path alone, as upstream.
  if (!isWatchPath && (info.verb === 'list' || info.verb === 'watch'))
    info.selectedName = nameSelected(query.get('fieldSelector') ?? '');
  return info;
}

function nonResource(method: string, path: string): RequestInfo {
  return {
    ...{ isResource: false, path, verb: method.toLowerCase(), group: '', version: '', resource: '' },
    ...{ subresource: '', tail: '', namespace: '', isInNamespace: false, name: '' },
    selectedName: '',
  };
}

function fillResource(info: RequestInfo, segments: string[]): void {
  let parts = segments;
  if (parts[0] === 'namespaces' && parts[1]) {
    info.namespace = parts[1];
    const isInside = parts.length > 2 && parts[2] !== '' && !namespaceSubresources.has(parts[2]!);
    info.isInNamespace = isInside;
    if (isInside) parts = parts.slice(2);
  }
  const [resource = '', name = '', subresource = '', ...tail] = parts;
  Object.assign(info, { resource, name, subresource, tail: tail.length > 0 ? `/${tail.join('/')}` : '' });
}

/** Read as the list itself reads it: an escaped comma is part of a value. Empty when the selector can't be read. */
function nameSelected(fieldSelector: string): string {
  if (fieldSelector === '') return '';
  try {
    const name = parseFieldSelector(fieldSelector).exactMatch('metadata.name') ?? '';
    return pathSegment(name).length === 0 ? name : '';
  } catch {
    return '';
  }
}

function resourceVerb(method: string, info: RequestInfo, query: URLSearchParams): string {
  if (method === 'GET' || method === 'HEAD') {
    if (info.name !== '') return 'get';
    return isTrue(query.get('watch')) ? 'watch' : 'list';
  }
  if (method === 'DELETE') return info.name === '' ? 'deletecollection' : 'delete';
  return writeVerbs.get(method) ?? method.toLowerCase();
}

/** What Go's query conversion takes for true: anything but `false` and `0`, once the parameter is there. */
function isTrue(value: string | null): boolean {
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}
