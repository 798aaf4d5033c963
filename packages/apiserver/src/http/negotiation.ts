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

/** {@link negotiate} for objects that cannot be sent as protobuf; their Tables and metadata can. */
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

/** The clause of `accept` of the highest quality that can be served, the first of equals. Throws 406 when there is none. */
export function negotiate(accept: string | undefined, allowed: readonly Representation[]): MediaType {
  if (!accept) return plainJson;
  const cacheKey = `${allowed.join()} ${accept}`;
  const known = cache.get(cacheKey);
  if (known) return known;
  for (const clause of accept.split(',').map(parseMediaClause).sort(byQuality)) {
    const media = readClause(clause, allowed);
    if (!media) continue;
    if (cache.size >= cacheEntriesMax) cache.clear();
    cache.set(cacheKey, media);
    return media;
  }
  throw notAcceptable(acceptedMediaTypes);
}

const qualityOf = ({ parameters }: MediaClause) => Number.parseFloat(parameters.get('q') ?? '1') || 0;
const byQuality = (left: MediaClause, right: MediaClause) => qualityOf(right) - qualityOf(left);

function readClause(clause: MediaClause, allowed: readonly Representation[]): MediaType | undefined {
  const encoding = encodings.get(clause.type);
  if (!encoding) return undefined;
  const pretty = clause.parameters.get('pretty') === '1';
  const as = clause.parameters.get('as');
  if (as === undefined) return { encoding, as: 'object', asVersion: 'v1', pretty };
  const representation = as as Representation;
  const asVersion = clause.parameters.get('v') ?? '';
  const isKnown = allowed.includes(representation) && clause.parameters.get('g') === 'meta.k8s.io';
  if (!isKnown || (asVersion !== 'v1' && asVersion !== 'v1beta1')) return undefined;
  return { encoding, as: representation, asVersion, pretty };
}
