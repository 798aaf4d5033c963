import {
  type MediaClause,
  notAcceptable,
  parseMediaClause,
  preferredClauses,
  StatusError,
} from '@wherry/kubeapi';

/** The encodings that answers can have. */
export type Encoding = 'json' | 'yaml' | 'protobuf';

/** What a client wants to see in place of the object itself. */
export type Representation = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** The answer's form, chosen from the Accept header. */
export interface MediaType {
  encoding: Encoding;
  as: Representation;
  /** Version of the Table or PartialObjectMetadata: `v1` or `v1beta1`. */
  asVersion: string;
  /** Indented JSON. */
  pretty: boolean;
}

/** All of them. */
export const representations: readonly Representation[] = [
  'Table',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
];

const encodings: ReadonlyMap<string, Encoding> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
  ['*/*', 'json'],
  ['*', 'json'],
  ['application/*', 'json'],
]);

/** What upstream's router looks for, and, as here since ever, any type of applications. */
const routed: ReadonlySet<string> = new Set([...encodings.keys()].filter((type) => type !== '*'));

/** Media types as 406 and 415 answers list them. */
export const acceptedMediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

/** The same for bodies of types that protobuf has no messages for. */
export const textMediaTypes = ['application/json', 'application/yaml'];

/** The same for watches: YAML documents have no frames. */
export const streamMediaTypes = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

const contentTypes: Record<Encoding, string> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
};

/** The Content-Type of an answer. */
export function contentTypeOf({ encoding }: MediaType, isWatch = false): string {
  return isWatch && encoding === 'protobuf'
    ? `${contentTypes.protobuf};stream=watch`
    : contentTypes[encoding];
}

/** Plain JSON: what errors fall back to. */
export const plainJson: MediaType = { encoding: 'json', as: 'object', asVersion: 'v1', pretty: false };

/** {@link negotiate} for objects that cannot be sent as protobuf; their metadata can. */
export function negotiateText(accept = '', allowed: readonly Representation[]): MediaType {
  const clauses = accept.split(',').filter((text) => {
    const { type, parameters } = parseMediaClause(text);
    return encodings.get(type) !== 'protobuf' || parameters.has('as');
  });
  if (clauses.length === 0) throw notAcceptable(acceptedMediaTypes);
  return negotiate(clauses.join(','), allowed);
}

const toolsOfPeople = /^(?:curl|Wget|Mozilla\/5\.0)/;

/** Whether JSON is indented: as the parameter `pretty` says, else for browsers and the like, as upstream. */
export function isForPeople(pretty: string, userAgent = ''): boolean {
  return pretty === '' ? toolsOfPeople.test(userAgent) : /^(?:1|t|T|TRUE|true|True)$/.test(pretty);
}

const cache = new Map<string, MediaType>();
const cacheEntriesMax = 100;
/** The first clause of `accept`, in the order of `preferredClauses`, that can be served; of many the first 100 are read. Throws 406 when there is none. */
export function negotiate(accept: string | undefined, allowed: readonly Representation[]): MediaType {
  if (!accept) return plainJson;
  const cacheKey = `${allowed.join()} ${accept}`;
  const known = cache.get(cacheKey);
  if (known) return known;
  for (const clause of preferredClauses(accept)) {
    const media = readClause(clause, allowed);
    if (!media) continue;
    if (cache.size >= cacheEntriesMax) cache.clear();
    cache.set(cacheKey, media);
    return media;
  }
  throw notAcceptable(acceptedMediaTypes);
}

/** What clients have asked by, and what the router lets through. */
const routable = new Set<string>();
const cachedCharactersMax = 1_024;
/** As many as are negotiated. */
const clausesMax = 100;

/**
 * 406 for what names no type that answers to a built-in resource have, in the words of upstream's router; undefined where it names
 * one. Watches are told where lists are.
 */
export function unroutable(accept: string | undefined, isList: boolean): StatusError | undefined {
  if (!accept || routable.has(accept)) return undefined;
  const clauses = accept.split(',', clausesMax);
  if (clauses.some((text) => routed.has(parseMediaClause(text).type))) {
    if (routable.size >= cacheEntriesMax) routable.clear();
    if (accept.length <= cachedCharactersMax) routable.add(accept);
    return undefined;
  }
  const types = isList ? [...acceptedMediaTypes, ...streamMediaTypes] : acceptedMediaTypes;
  const message = `406: Not Acceptable\n\nAvailable representations: ${types.join(', ')}`;
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

function readClause(clause: MediaClause, allowed: readonly Representation[]): MediaType | undefined {
  const { type, parameters } = clause;
  const encoding = encodings.get(type);
  if (!encoding || !hasKnownSchema(clause, encoding, allowed.length > 0)) return undefined;
  const pretty = parameters.get('pretty') === '1';
  const [as, group, version = ''] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (as === undefined && group === undefined && !parameters.has('v'))
    return { encoding, as: 'object', asVersion: 'v1', pretty };
  const representation = as as Representation;
  if (!allowed.includes(representation) || group !== 'meta.k8s.io') return undefined;
  if (version !== 'v1' && version !== 'v1beta1') return undefined;
  // Tables have no form in protobuf.
  if (representation === 'Table' && encoding === 'protobuf') return undefined;
  return { encoding, as: representation, asVersion: version, pretty };
}

/** What `stream` and `sv` ask for is there, if they ask; errors have no version. */
function hasKnownSchema({ parameters }: MediaClause, encoding: Encoding, hasVersion: boolean): boolean {
  const [stream = '', serverVersion = ''] = ['stream', 'sv'].map((name) => parameters.get(name));
  const isStreamed = stream === '' || (stream === 'watch' && encoding !== 'yaml');
  return isStreamed && (serverVersion === '' || (hasVersion && serverVersion === 'v1'));
}
