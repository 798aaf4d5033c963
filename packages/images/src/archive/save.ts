import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { ImageError } from '../errors.ts';
import { type Digest, digestOf, hexOf } from '../layers/digest.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageStore } from '../store/image-store.ts';
import { type Descriptor, mediaTypeOf, mediaTypes, parseManifest } from '../store/manifest.ts';
import { hostArchitecture } from '../store/platform.ts';
import { parseReference, tagName } from '../store/reference.ts';

/** One image of an archive: its manifest and under which names it stands there. */
interface Saved {
  image: StoredImage;
  manifestBytes: Buffer;
  config: Descriptor;
  layers: Descriptor[];
  tags: string[];
}

const blobPath = (digest: Digest) => `blobs/sha256/${hexOf(digest)}`;

/**
 * Images as one tar that is an OCI layout and a docker archive at once, as containerd exports it: read by `docker load`,
 * `ctr image import`, skopeo and `loadArchive`. An image named by a tag stands under that, by its id under all its tags.
 * Throws `ImageError` NOT_FOUND for an unknown image, FAILED_PRECONDITION for one whose packed layers were not kept; both
 * before the first byte.
 */
export async function saveArchive(
  store: ImageStore,
  names: readonly string[],
): Promise<AsyncIterable<Uint8Array>> {
  const images = names.map((name) => ({ name, image: store.find(name) }));
  const releases = images.map(({ image }) => store.hold(image));
  const release = () => {
    for (const one of releases) one();
  };
  try {
    const saved: Saved[] = [];
    for (const { name, image } of images) merge(saved, await readSaved(store, image, name));
    const tar = pack();
    void write(store, tar, saved)
      .then(
        () => tar.finalize(),
        (error) => tar.destroy(error),
      )
      .finally(release);
    return tar as AsyncIterable<Uint8Array>;
  } catch (error) {
    release();
    throw error;
  }
}

async function readSaved(store: ImageStore, image: StoredImage, name: string): Promise<Saved> {
  const manifestBytes = await store.blobs.get(image.manifestDigest);
  const manifest = parseManifest(manifestBytes);
  if (manifest.kind !== 'manifest') throw new ImageError('UNIMPLEMENTED', `image "${name}" is an index`);
  if (manifest.artifactType !== undefined)
    throw new ImageError(
      'UNIMPLEMENTED',
      `"${name}" is an OCI artifact of the type "${manifest.artifactType}", which no archive takes; push it`,
    );
  const { config, layers } = manifest;
  for (const { digest, size } of layers)
    if ((await store.blobs.find(digest, size)) === undefined)
      throw new ImageError(
        'FAILED_PRECONDITION',
        `layer ${digest} of image "${name}" was not kept packed; pull or load the image again and save it then`,
      );
  const tag = image.tags.find((one) => one === tagOf(name));
  return { image, manifestBytes, config, layers, tags: tag === undefined ? image.tags : [tag] };
}

/** The canonical tag that a text names, if it is a name. */
function tagOf(name: string): string | undefined {
  try {
    return tagName(parseReference(name));
  } catch {
    return undefined;
  }
}

function merge(all: Saved[], one: Saved): void {
  const known = all.find(({ image }) => image.id === one.image.id);
  if (known) known.tags = [...new Set([...known.tags, ...one.tags])];
  else all.push(one);
}

async function write(store: ImageStore, tar: Pack, saved: readonly Saved[]): Promise<void> {
  const written = new Set<Digest>();
  for (const { manifestBytes, config, layers } of saved) {
    for (const blob of [config, ...layers]) {
      if (written.has(blob.digest)) continue;
      written.add(blob.digest);
      await writeBlob(store, tar, blob);
    }
    await writeFile(tar, blobPath(digestOf(manifestBytes)), manifestBytes);
  }
  await writeFile(tar, 'oci-layout', JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  await writeFile(tar, 'index.json', JSON.stringify(indexOf(saved)));
  await writeFile(tar, 'manifest.json', JSON.stringify(dockerManifestOf(saved)));
}

/** A descriptor for each name, with the annotations that containerd and skopeo look for. */
function indexOf(saved: readonly Saved[]): object {
  const manifests = saved.flatMap(({ image, manifestBytes, tags }) => {
    const descriptor = {
      mediaType: mediaTypeOf(manifestBytes),
      digest: image.manifestDigest,
      size: manifestBytes.length,
      platform: { architecture: image.config.architecture || hostArchitecture, os: 'linux' },
    };
    if (tags.length === 0) return [descriptor];
    return tags.map((tag) => ({
      ...descriptor,
      annotations: {
        'io.containerd.image.name': tag,
        'org.opencontainers.image.ref.name': parseReference(tag).tag,
      },
    }));
  });
  return { schemaVersion: 2, mediaType: mediaTypes.index, manifests };
}

function dockerManifestOf(saved: readonly Saved[]): object[] {
  return saved.map(({ config, layers, tags }) => ({
    Config: blobPath(config.digest),
    RepoTags: tags.map((tag) => tag.replace(/^docker\.io\/(?:library\/)?/, '')),
    Layers: layers.map(({ digest }) => blobPath(digest)),
  }));
}

/** Streams a blob from the store; one that is not what it should be ends the archive with an error. */
async function writeBlob(store: ImageStore, tar: Pack, { digest, size }: Descriptor): Promise<void> {
  const path = await store.blobs.find(digest, size);
  if (path === undefined) throw new ImageError('NOT_FOUND', `the image store has no content ${digest}`);
  const hash = createHash('sha256');
  const entry = tar.entry({ name: blobPath(digest), size, mode: 0o644, mtime: new Date(0) });
  const file = createReadStream(path, { highWaterMark: readBytes });
  file.on('data', (chunk) => hash.update(chunk));
  await pipeline(file, entry);
  if (hash.digest('hex') !== hexOf(digest))
    throw new ImageError(
      'UNKNOWN',
      `content ${digest} is damaged on disk; remove the image and load it again`,
    );
}

const readBytes = 256 * 1024;

function writeFile(tar: Pack, name: string, content: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, mode: 0o644, mtime: new Date(0) }, Buffer.from(content), (error) =>
      error ? reject(error) : resolve(),
    );
  });
}
