import { type MediaClause, notAcceptable, parseMediaClause, preferredClauses } from '@wherry/kubeapi';

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
  ['application/*', 'json'],
]);

/** Media types as 406 and 415 answers list them. */
export const acceptedMediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];

/** The same for types that protobuf has no messages for. */
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
  if (clauses.length === 0) throw notAcceptable(textMediaTypes);
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

function readClause(clause: MediaClause, allowed: readonly Representation[]): MediaType | undefined {
  const { type, parameters } = clause;
  const encoding = encodings.get(type);
  if (!encoding || !hasKnownSchema(parameters, encoding)) return undefined;
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

/** What `stream` and `sv` ask for is there, if they ask. */
function hasKnownSchema(parameters: MediaClause['parameters'], encoding: Encoding): boolean {
  const [stream = '', serverVersion = ''] = ['stream', 'sv'].map((name) => parameters.get(name));
  const isStreamed = stream === '' || (stream === 'watch' && encoding !== 'yaml');
  return isStreamed && (serverVersion === '' || serverVersion === 'v1');
}
