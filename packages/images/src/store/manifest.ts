import { shownJson } from '@wherry/bytes';
import { ImageError } from '../errors.ts';
import { type Digest, isDigest } from '../layers/digest.ts';
import { limits } from '../limits.ts';
import { doubledMember } from './doubled-members.ts';

/** Media types of OCI image-spec and of docker's schema 2 that this store understands. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
  dockerConfig: 'application/vnd.docker.container.image.v1+json',
  dockerList: 'application/vnd.docker.distribution.manifest.list.v2+json',
  dockerManifest: 'application/vnd.docker.distribution.manifest.v2+json',
} as const;

/** A pointer to content (OCI image-spec descriptor.md). */
export interface Descriptor {
  mediaType: string;
  digest: Digest;
  size: number;
  platform?: { architecture: string; os: string; variant?: string } | undefined;
  annotations?: Record<string, string> | undefined;
}

/** One image for one platform. */
export interface Manifest {
  kind: 'manifest';
  config: Descriptor;
  layers: Descriptor[];
  /** What it is where it is packed as an image and is none (a chart, a model, a signature). */
  artifactType?: string | undefined;
}

/** A choice of manifests. */
export interface Index {
  kind: 'index';
  manifests: Descriptor[];
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function descriptor(value: unknown, where: string): Descriptor {
  if (!isObject(value)) throw new ImageError('INVALID_ARGUMENT', `${where} is no descriptor`);
  const { mediaType, digest, size } = value;
  if (typeof digest !== 'string' || !isDigest(digest)) {
    throw new ImageError(
      'INVALID_ARGUMENT',
      `${where} has the digest "${shownJson(digest)}"; only sha256 is supported`,
    );
  }
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw new ImageError('INVALID_ARGUMENT', `${where} has the size "${shownJson(size)}"`);
  }
  const platform = isObject(value['platform']) ? platformOf(value['platform']) : undefined;
  const annotations = isObject(value['annotations']) ? textsOf(value['annotations']) : undefined;
  return { mediaType: typeof mediaType === 'string' ? mediaType : '', digest, size, platform, annotations };
}

/** What a descriptor says of a platform; what is no text is not said. */
function platformOf(value: Json): NonNullable<Descriptor['platform']> {
  const { os = '', architecture = '', variant } = textsOf(value);
  return { os, architecture, ...(variant !== undefined && { variant }) };
}

/** The members that are texts. */
const textsOf = (value: Json): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string'),
  );

function descriptors(value: unknown, where: string): Descriptor[] {
  if (!Array.isArray(value)) throw new ImageError('INVALID_ARGUMENT', `${where} is missing`);
  return value.map((item, at) => descriptor(item, `${where}[${at}]`));
}

/** Which kind of document each media type is. */
const kinds = new Map<string, Manifest['kind'] | Index['kind']>([
  [mediaTypes.index, 'index'],
  [mediaTypes.dockerList, 'index'],
  [mediaTypes.manifest, 'manifest'],
  [mediaTypes.dockerManifest, 'manifest'],
]);
/** Members that only one kind of document has, docker's schema 1 among them. */
const tellingMembers = {
  index: ['manifests'],
  manifest: ['layers', 'config'],
  schema1: ['fsLayers', 'history'],
};

/**
 * Reads a manifest or an index. `stated` are the media types that others gave for it (a registry's content type, the
 * descriptor that led here). A document that could be read as something else elsewhere is refused (CVE-2021-41190).
 * Throws `ImageError` INVALID_ARGUMENT or unsupported.
 */
export function parseManifest(bytes: Uint8Array, stated: readonly string[] = []): Manifest | Index {
  if (bytes.length > limits.manifestBytesMax) {
    throw new ImageError('INVALID_ARGUMENT', `manifest of ${bytes.length} bytes is too large`);
  }
  const json = parseJson(bytes, 'manifest');
  if (json['schemaVersion'] === 1) {
    throw new ImageError(
      'UNIMPLEMENTED',
      'schema 1 manifests are not supported; push the image again with a current tool',
    );
  }
  if (kindOf(json, stated) === 'index') {
    const manifests = descriptors(json['manifests'], 'manifests');
    if (manifests.length > limits.indexManifestsMax)
      throw new ImageError('UNIMPLEMENTED', `image index has ${manifests.length} manifests`);
    return { kind: 'index', manifests };
  }
  const config = descriptor(json['config'], 'config');
  const layers = descriptors(json['layers'], 'layers');
  if (layers.length > limits.layersMax)
    throw new ImageError('UNIMPLEMENTED', `image has ${layers.length} layers`);
  const artifactType = artifactTypeOf(json, config);
  return { kind: 'manifest', config, layers, ...(artifactType !== undefined && { artifactType }) };
}

/** Media types of configurations that images have; very old ones said nothing better than bytes. Any other is an artifact's. */
const configTypes = new Set<string>([
  '',
  mediaTypes.config,
  mediaTypes.dockerConfig,
  'application/octet-stream',
  'application/json',
]);

function artifactTypeOf({ artifactType }: Json, { mediaType }: Descriptor): string | undefined {
  if (configTypes.has(mediaType)) return undefined;
  return typeof artifactType === 'string' && artifactType !== '' ? artifactType : mediaType;
}

const ambiguous = (why: string) =>
  new ImageError('INVALID_ARGUMENT', `image manifest is ambiguous: ${why}; it is refused`);

function kindOf(json: Json, stated: readonly string[]): 'manifest' | 'index' {
  const members = Object.keys(json);
  const known = [...Object.values(tellingMembers).flat(), 'mediaType', 'schemaVersion'];
  // Go takes members whatever their case.
  const odd = members.find((member) => known.some((name) => name !== member && sameWord(name, member)));
  if (odd !== undefined) throw ambiguous(`it has a member "${odd}"`);
  const has = (kind: keyof typeof tellingMembers) =>
    tellingMembers[kind].filter((member) => members.includes(member));
  if (has('schema1').length > 0) throw ambiguous(`it has "${has('schema1')[0]}" of schema 1`);
  if (has('index').length > 0 && has('manifest').length > 0)
    throw ambiguous(`it has both "manifests" and "${has('manifest')[0]}"`);
  const kind = has('index').length > 0 ? 'index' : 'manifest';
  const { mediaType } = json;
  if (mediaType !== undefined && typeof mediaType !== 'string') throw ambiguous('its mediaType is no text');
  const types = [...(mediaType ? [mediaType] : []), ...stated].filter((type) => kinds.has(type));
  const other = types.find((type) => kinds.get(type) !== kind || type !== types[0]);
  if (other !== undefined) {
    const what = kind === 'index' ? 'an index' : 'an image';
    throw ambiguous(`it is ${what}, and its media type is said to be ${[...new Set(types)].join(' and ')}`);
  }
  return kind;
}

const sameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Checks that content is as long as the descriptor that led to it says. Throws `ImageError` INVALID_ARGUMENT. */
export function checkSize({ digest, size }: Descriptor, content: Uint8Array): void {
  if (content.length !== size)
    throw new ImageError(
      'INVALID_ARGUMENT',
      `${digest} has ${content.length} bytes where its descriptor says ${size}`,
    );
}

/** Parses JSON that must be an object, with no member twice in any object. Throws `ImageError` INVALID_ARGUMENT. */
export function parseJson(bytes: Uint8Array, what: string): Record<string, unknown> {
  const text = Buffer.from(bytes).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ImageError('INVALID_ARGUMENT', `${what} is no JSON: ${String(error)}`, { cause: error });
  }
  if (!isObject(value)) throw new ImageError('INVALID_ARGUMENT', `${what} is no JSON object`);
  const doubled = doubledMember(text);
  if (doubled === undefined) return value;
  throw new ImageError(
    'INVALID_ARGUMENT',
    `${what} is ambiguous: it has ${JSON.stringify(doubled)} twice; it is refused`,
  );
}

/** The media type that a manifest says it has; OCI's when it says none. */
export function mediaTypeOf(bytes: Uint8Array): string {
  const { mediaType } = parseJson(bytes, 'manifest');
  return typeof mediaType === 'string' ? mediaType : mediaTypes.manifest;
}
