import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { ImageError } from '../errors.ts';
import { type FileSlice, readSlice, sliceCompression } from '../layers/compression.ts';
import { type Digest, digestOf, hexOf } from '../layers/digest.ts';
import { limits } from '../limits.ts';
import { parseImageConfig } from '../store/image-config.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageInstall, ImageStore } from '../store/image-store.ts';
import { checkSize, type Descriptor, type Manifest, mediaTypes, parseManifest } from '../store/manifest.ts';
import { choosePlatform } from '../store/platform.ts';
import { digestName, parseReference, tagName } from '../store/reference.ts';
import { ArchiveIndex } from './archive-index.ts';
import { decompressed } from './archive-spool.ts';

/** Annotations that carry an image's name in an OCI layout: containerd's (whole name), then the standard's (often only a tag). */
const nameAnnotations = ['io.containerd.image.name', 'org.opencontainers.image.ref.name'] as const;

/**
 * Loads every image of an OCI-layout or docker archive (plain, gzip or zstd) under the names that it carries, and
 * under `names`. Nothing is listed before it is whole. Throws `ImageError` INVALID_ARGUMENT for anything else.
 */
export async function loadArchive(
  store: ImageStore,
  source: AsyncIterable<Uint8Array>,
  names: readonly string[] = [],
): Promise<StoredImage[]> {
  const { path } = await store.blobs.spool(decompressed(source, store.bounds));
  try {
    const archive = await ArchiveIndex.read(path);
    const installs = await readInstalls(archive);
    const only = installs.length === 1 ? installs[0] : undefined;
    if (names.length > 0 && !only) {
      throw new ImageError(
        'INVALID_ARGUMENT',
        `the archive holds ${installs.length} images; a name can be given to one only`,
      );
    }
    for (const name of names) if (only) addName(only, name);
    const images: StoredImage[] = [];
    for (const install of installs) {
      images.push(await store.install(install));
      await keepLayers(store, install);
    }
    return images;
  } finally {
    await rm(path, { force: true });
  }
}

/** Packed layers stay with an image that was taken: copies, since the archive goes. */
async function keepLayers(store: ImageStore, { manifest, layer }: ImageInstall): Promise<void> {
  for (const [at, { digest }] of manifest.layers.entries())
    await store.keepPacked(await layer(at).fetch(never), digest);
}

const never = new AbortController().signal;

async function readInstalls(archive: ArchiveIndex): Promise<ImageInstall[]> {
  if (archive.slice('index.json')) return readLayout(archive);
  if (archive.slice('manifest.json')) return readDockerArchive(archive);
  throw new ImageError(
    'INVALID_ARGUMENT',
    'this is no image archive: it has neither index.json nor manifest.json',
  );
}

const blobName = (digest: Digest) => `blobs/sha256/${hexOf(digest)}`;

async function readLayout(archive: ArchiveIndex): Promise<ImageInstall[]> {
  const index = parseManifest(await archive.content('index.json', limits.manifestBytesMax));
  if (index.kind !== 'index')
    throw new ImageError('INVALID_ARGUMENT', 'index.json of the image archive is no index');
  const installs = new Map<Digest, ImageInstall>();
  for (const descriptor of index.manifests) {
    const install = await readImage(archive, descriptor);
    const known = installs.get(digestOf(install.configBytes)) ?? install;
    installs.set(digestOf(install.configBytes), known);
    const name = nameAnnotations
      .map((key) => descriptor.annotations?.[key])
      .find((value) => value !== undefined);
    if (name?.match(/[/:]/)) addName(known, name);
  }
  await addDockerNames(archive, installs);
  return [...installs.values()];
}

async function readImage(
  archive: ArchiveIndex,
  descriptor: Descriptor,
  depth: number = limits.indexDepthMax,
): Promise<ImageInstall> {
  const manifestBytes = await checkedContent(archive, descriptor.digest, limits.manifestBytesMax);
  checkSize(descriptor, manifestBytes);
  const manifest = parseManifest(manifestBytes, [descriptor.mediaType]);
  if (manifest.kind === 'index') {
    if (depth === 0) throw new ImageError('INVALID_ARGUMENT', 'image index leads to an index too often');
    return readImage(archive, choosePlatform(manifest), depth - 1);
  }
  if (manifest.artifactType !== undefined)
    throw new ImageError(
      'UNIMPLEMENTED',
      `this archive holds an OCI artifact of the type "${manifest.artifactType}"; artifacts come from registries alone`,
    );
  const configBytes = await checkedContent(archive, manifest.config.digest, limits.imageConfigBytesMax);
  checkSize(manifest.config, configBytes);
  const layer = (at: number) => {
    const digest = manifest.layers[at]?.digest as Digest;
    return { packedDigest: digest, fetch: async () => sliceOf(archive, blobName(digest)) };
  };
  return { manifestBytes, manifest, configBytes, layer, tags: [], digests: [] };
}

async function checkedContent(archive: ArchiveIndex, digest: Digest, bytesMax: number): Promise<Buffer> {
  const content = await archive.content(blobName(digest), bytesMax);
  if (digestOf(content) !== digest)
    throw new ImageError('INVALID_ARGUMENT', `"${blobName(digest)}" in the archive is damaged`);
  return content;
}

function sliceOf(archive: ArchiveIndex, name: string) {
  const slice = archive.slice(name);
  if (!slice) throw new ImageError('INVALID_ARGUMENT', `image archive lacks the layer "${name}"`);
  return slice;
}

interface DockerImage {
  Config: string;
  RepoTags: string[] | null;
  Layers: string[];
}

async function readDockerManifest(archive: ArchiveIndex): Promise<DockerImage[]> {
  const value: unknown = JSON.parse(
    (await archive.content('manifest.json', limits.manifestBytesMax)).toString(),
  );
  const isTexts = (list: unknown) => Array.isArray(list) && list.every((text) => typeof text === 'string');
  const isImage = (item: unknown): item is DockerImage => {
    const { Config: config, Layers: layers, RepoTags: tags } = (item ?? {}) as Partial<DockerImage>;
    return typeof config === 'string' && isTexts(layers) && isTexts(tags ?? []);
  };
  if (!Array.isArray(value) || !value.every(isImage)) {
    throw new ImageError(
      'INVALID_ARGUMENT',
      'manifest.json of the image archive is not what docker save writes',
    );
  }
  return value;
}

async function readDockerArchive(archive: ArchiveIndex): Promise<ImageInstall[]> {
  const installs: ImageInstall[] = [];
  for (const image of await readDockerManifest(archive)) {
    const configBytes = await archive.content(image.Config, limits.imageConfigBytesMax);
    const { diffIds } = parseImageConfig(configBytes);
    const slices = image.Layers.map((name) => sliceOf(archive, name));
    if (slices.length !== diffIds.length)
      throw new ImageError(
        'INVALID_ARGUMENT',
        `image has ${slices.length} layers, but its configuration names ${diffIds.length}`,
      );
    const layers = await Promise.all(slices.map((slice, at) => describeLayer(slice, diffIds[at] as Digest)));
    const { manifest, manifestBytes } = makeManifest(configBytes, layers);
    const layer = (at: number) => ({ fetch: async () => sliceOf(archive, image.Layers[at] ?? '') });
    const install: ImageInstall = { manifestBytes, manifest, configBytes, layer, tags: [], digests: [] };
    for (const name of image.RepoTags ?? []) addName(install, name);
    installs.push(install);
  }
  return installs;
}

/** Docker writes names of an OCI layout also (older versions: only) into manifest.json. */
async function addDockerNames(
  archive: ArchiveIndex,
  installs: ReadonlyMap<Digest, ImageInstall>,
): Promise<void> {
  if (!archive.slice('manifest.json')) return;
  for (const image of await readDockerManifest(archive)) {
    const config = await archive.content(image.Config, limits.imageConfigBytesMax);
    const install = installs.get(digestOf(config));
    if (install) for (const name of image.RepoTags ?? []) addName(install, name);
  }
}

/** Gives an image a name: the tag, and the digest form that pod statuses show. */
export function addName(install: ImageInstall, name: string): void {
  const reference = parseReference(name);
  const tag = tagName(reference);
  if (tag !== undefined && !install.tags.includes(tag)) install.tags.push(tag);
  const digest = digestName(reference, digestOf(install.manifestBytes));
  if (!install.digests.includes(digest)) install.digests.push(digest);
}

const layerSuffixes = { none: '', gzip: '+gzip', zstd: '+zstd' } as const;

/** A layer of a docker archive: docker writes them plain, others packed. */
async function describeLayer(slice: FileSlice, diffId: Digest): Promise<Descriptor> {
  const compression = await sliceCompression(slice);
  const mediaType = `${mediaTypes.layer}${layerSuffixes[compression]}`;
  if (compression === 'none') return { mediaType, digest: diffId, size: slice.length };
  const hash = createHash('sha256');
  for await (const chunk of readSlice(slice)) hash.update(chunk as Uint8Array);
  return { mediaType, digest: `sha256:${hash.digest('hex')}`, size: slice.length };
}

/** Writes the manifest of an image that has none; layers are plain tars unless they say otherwise. */
export function makeManifest(
  configBytes: Uint8Array,
  layers: readonly { digest: Digest; size: number; mediaType?: string }[],
): { manifest: Manifest; manifestBytes: Buffer } {
  const config = { mediaType: mediaTypes.config, digest: digestOf(configBytes), size: configBytes.length };
  const described = layers.map(({ digest, size, mediaType = mediaTypes.layer }) => ({
    mediaType,
    digest,
    size,
  }));
  const document = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: described };
  return {
    manifest: { kind: 'manifest', config, layers: described },
    manifestBytes: Buffer.from(JSON.stringify(document)),
  };
}
