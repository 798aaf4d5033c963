import { rm } from 'node:fs/promises';
import { SharedWork } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { ImageError } from '../errors.ts';
import type { HostSource } from '../hosts/registry-config.ts';
import { digestOf } from '../layers/digest.ts';
import { limits } from '../limits.ts';
import { artifactFiles } from '../store/artifact.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageInstall, ImageStore } from '../store/image-store.ts';
import { checkSize, type Descriptor, type Manifest, parseManifest } from '../store/manifest.ts';
import { choosePlatform } from '../store/platform.ts';
import { digestName, parseReference, type Reference, tagName } from '../store/reference.ts';
import { Semaphore } from '../store/semaphore.ts';
import type { Transports } from '../transport/transports.ts';
import type { RegistryAuth } from './credentials.ts';
import { downloadBlob } from './download.ts';
import { type Download, DownloadSlots } from './download-slots.ts';
import type { OnProgress, TransferPhase } from './progress.ts';
import { Repository, type Served } from './repository.ts';

/** What a puller works with. */
export interface PullerOptions {
  images: ImageStore;
  hosts: HostSource;
  transports: Transports;
  clock: Clock;
  logger: Logger;
}

/** How one image is pulled. */
export interface PullOptions {
  auth?: RegistryAuth | undefined;
  signal: AbortSignal;
  /** Who joins a pull that is under way is told from then on. */
  onProgress?: OnProgress | undefined;
}

/** A pull under way and who is told of it. */
interface Listeners {
  /** Calls that wait for it, whether or not they listen. */
  calls: number;
  tell: OnProgress;
  all: Set<OnProgress>;
}

/** Fetches images from registries. */
export class Puller {
  readonly #options: PullerOptions;
  readonly #pulls = new SharedWork<StoredImage>();
  readonly #listeners = new Map<string, Listeners>();
  readonly #slots: DownloadSlots;

  constructor(options: PullerOptions) {
    this.#options = options;
    this.#slots = new DownloadSlots(options.clock);
  }

  /**
   * Pulls an image by name; the same pull asked twice at once is done once, as long as one of both waits. Rejects with
   * the signal's reason, with a message that starts `RegistryUnavailable: `, or with `ImageError`.
   */
  async pull(name: string, { auth, signal, onProgress }: PullOptions): Promise<StoredImage> {
    const key = JSON.stringify([name, auth ?? null]);
    const listeners = this.#listenersOf(key);
    listeners.calls++;
    if (onProgress) listeners.all.add(onProgress);
    try {
      const work = (shared: AbortSignal) => this.#pull(parseReference(name), auth, shared, listeners.tell);
      return await this.#pulls.run(key, signal, work);
    } finally {
      if (onProgress) listeners.all.delete(onProgress);
      if (--listeners.calls === 0) this.#listeners.delete(key);
    }
  }

  #listenersOf(key: string): Listeners {
    const known = this.#listeners.get(key);
    if (known) return known;
    const all = new Set<OnProgress>();
    const listeners: Listeners = {
      calls: 0,
      all,
      tell(progress) {
        for (const listener of all) listener(progress);
      },
    };
    this.#listeners.set(key, listeners);
    return listeners;
  }

  async #pull(
    reference: Reference,
    auth: RegistryAuth | undefined,
    signal: AbortSignal,
    onProgress: OnProgress,
  ): Promise<StoredImage> {
    const { hosts, transports, logger, images, clock } = this.#options;
    const repository = new Repository({
      reference,
      hosts: await hosts.hostsFor(reference),
      auth,
      transports,
      clock,
      logger,
    });
    const unchanged = await this.#unchanged(repository, reference, signal);
    if (unchanged) return unchanged;
    const top = await repository.manifest(wanted(reference), signal);
    const { manifest, bytes } = await imageOf(repository, top, [], signal);
    const configBytes = await repository.document(manifest.config.digest, limits.imageConfigBytesMax, signal);
    checkSize(manifest.config, configBytes);
    const files = manifest.artifactType === undefined ? [] : artifactFiles(manifest);
    const slots = new Semaphore(limits.downloadsPerPullMax);
    const tell = ({ digest, size }: Descriptor, phase: TransferPhase, doneBytes = size) =>
      onProgress({ digest, phase, doneBytes, totalBytes: size });
    const tag = reference.digest ? undefined : tagName(reference);
    const install: ImageInstall = {
      manifestBytes: bytes,
      manifest,
      configBytes,
      tags: tag === undefined ? [] : [tag],
      digests: [digestName(reference, digestOf(top.bytes))],
      layer: (at) => {
        const blob = manifest.layers[at] as Descriptor;
        // The same bytes may be two files of artifacts, each of which is made for itself.
        const path = images.blobs.downloadPath(files[at]?.diffId ?? blob.digest);
        return {
          packedDigest: blob.digest,
          async fetch(shared) {
            tell(blob, 'waiting', 0);
            const slice = await slots.run(() =>
              download((received) =>
                downloadBlob(repository, blob, { path, clock, signal: shared, onProgress, received }),
              ),
            );
            tell(blob, 'unpacking');
            return slice;
          },
          async release(_, whole) {
            if (whole !== undefined) await images.adoptPacked(path, whole);
            await rm(path, { force: true });
          },
        };
      },
      onLayer: (at) => tell(manifest.layers[at] as Descriptor, 'done'),
    };
    const download = <Result>(work: Download<Result>) => this.#slots.run(reference.domain, work);
    return images.install(install, signal);
  }

  /** The image, when the name is known here and the registry says that it means an image that is here. */
  async #unchanged(
    repository: Repository,
    reference: Reference,
    signal: AbortSignal,
  ): Promise<StoredImage | undefined> {
    const { catalog } = this.#options.images;
    const tag = reference.digest ? undefined : tagName(reference);
    const name = reference.digest ? digestName(reference, reference.digest) : tag;
    if (name === undefined || !catalog.resolve(name)) return undefined;
    const digest = await repository.digestOf(wanted(reference), signal);
    const found = digest && catalog.resolve(digestName(reference, digest));
    return found && catalog.tagged(found.id, tag);
  }
}

/** What a name asks a registry for. */
const wanted = ({ digest, tag = 'latest' }: Reference): string => digest ?? tag;

/** The image's own manifest, found through `path`: the descriptors that led here. */
async function imageOf(
  repository: Repository,
  { bytes, type }: Served,
  path: readonly Descriptor[],
  signal: AbortSignal,
): Promise<{ manifest: Manifest; bytes: Buffer }> {
  const descriptor = path.at(-1);
  if (descriptor) checkSize(descriptor, bytes);
  const manifest = parseManifest(bytes, descriptor ? [type, descriptor.mediaType] : [type]);
  if (manifest.kind === 'manifest') return { manifest, bytes };
  if (path.length === limits.indexDepthMax)
    throw new ImageError('INVALID_ARGUMENT', 'image index leads to an index too often');
  const chosen = choosePlatform(manifest);
  return imageOf(repository, await repository.manifest(chosen.digest, signal), [...path, chosen], signal);
}
