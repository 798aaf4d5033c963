import { notAcceptable } from '@wherry/kubeapi';

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

/** One clause of an Accept or Content-Type header. */
export interface MediaClause {
  type: string;
  parameters: ReadonlyMap<string, string>;
}

/** `a/b;x=y` → its parts, lower-case but for the values. */
export function parseMediaClause(text: string): MediaClause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const [name = '', value = ''] = part.split('=');
    parameters.set(name.toLowerCase(), value.replace(/^"|"$/g, ''));
  }
  return { type: type.toLowerCase(), parameters };
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
/** More than any client sends: sorting takes as many steps as their square. */
const clausesMax = 100;

/** The first clause of `accept`, in the order of {@link byPreference}, that can be served; of many the first 100 are read. Throws 406 when there is none. */
export function negotiate(accept: string | undefined, allowed: readonly Representation[]): MediaType {
  if (!accept) return plainJson;
  const cacheKey = `${allowed.join()} ${accept}`;
  const known = cache.get(cacheKey);
  if (known) return known;
  for (const clause of byPreference(accept.split(',', clausesMax).map(parseMediaClause))) {
    const media = readClause(clause, allowed);
    if (!media) continue;
    if (cache.size >= cacheEntriesMax) cache.clear();
    cache.set(cacheKey, media);
    return media;
  }
  throw notAcceptable(acceptedMediaTypes);
}

const qualityOf = ({ parameters }: MediaClause) => Number.parseFloat(parameters.get('q') ?? '1') || 0;

/**
 * By quality, but what names its type does not let what does not pass it, and stays the first of equals: the order of
 * goautoneg, which depends on how the clauses stood.
 */
function byPreference(clauses: readonly MediaClause[]): MediaClause[] {
  const sorted = [...clauses];
  for (let end = 1; end < sorted.length; end += 1) {
    for (let at = end; at > 0 && isPreferred(sorted[at]!, sorted[at - 1]!); at -= 1)
      sorted.splice(at - 1, 2, sorted[at]!, sorted[at - 1]!);
  }
  return sorted;
}

function isPreferred(clause: MediaClause, other: MediaClause): boolean {
  if (qualityOf(clause) > qualityOf(other)) return true;
  const [type, subtype] = clause.type.split('/');
  const [otherType, otherSubtype] = other.type.split('/');
  return (type !== '*' && otherType === '*') || (subtype !== '*' && otherSubtype === '*');
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
