import { rm } from 'node:fs/promises';
import { SharedWork } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { ImageError, messageOf } from '../errors.ts';
import { type Digest, digestOf } from '../layers/digest.ts';
import { limits } from '../limits.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageInstall, ImageStore } from '../store/image-store.ts';
import {
  checkSize,
  choosePlatform,
  type Descriptor,
  type Manifest,
  mediaTypes,
  parseManifest,
} from '../store/manifest.ts';
import { digestName, parseReference, type Reference, tagName } from '../store/reference.ts';
import { Semaphore } from '../store/semaphore.ts';
import { credentialsFor, type RegistryAuth } from './credentials.ts';
import { downloadBlob } from './download.ts';
import { endpointsOf, type RegistryMirrors } from './endpoints.ts';
import { RegistryClient, readBytes } from './registry-client.ts';

/** What a puller works with. */
export interface PullerOptions {
  images: ImageStore;
  mirrors: RegistryMirrors;
  clock: Clock;
  logger: Logger;
}

const manifestTypes = [
  mediaTypes.index,
  mediaTypes.dockerList,
  mediaTypes.manifest,
  mediaTypes.dockerManifest,
].join(', ');

/** A document as a registry served it. */
interface Served {
  bytes: Buffer;
  /** Its content type, or empty. */
  type: string;
}

/** Fetches images from registries. */
export class Puller {
  readonly #options: PullerOptions;
  readonly #pulls = new SharedWork<StoredImage>();

  constructor(options: PullerOptions) {
    this.#options = options;
  }

  /**
   * Pulls an image by name; the same pull asked twice at once is done once, as long as one of both waits. Rejects with the signal's reason, with a
   * message that starts `RegistryUnavailable: `, or with `ImageError`.
   */
  pull(name: string, auth: RegistryAuth | undefined, signal: AbortSignal): Promise<StoredImage> {
    const key = JSON.stringify([name, auth ?? null]);
    return this.#pulls.run(key, signal, (shared) => this.#pull(parseReference(name), auth, shared));
  }

  /** Asks mirrors and then the registry; the last one's failure is the pull's. */
  async #pull(
    reference: Reference,
    auth: RegistryAuth | undefined,
    signal: AbortSignal,
  ): Promise<StoredImage> {
    const { mirrors, logger } = this.#options;
    let failure: unknown;
    for (const endpoint of endpointsOf(reference.domain, mirrors)) {
      const credentials = credentialsFor(auth, endpoint, reference.domain);
      const client = new RegistryClient({ endpoint, repository: reference.path, credentials, signal });
      try {
        return await this.#pullFrom(client, reference, signal);
      } catch (error) {
        signal.throwIfAborted();
        logger.info('a registry did not give an image', { from: endpoint.base, error: messageOf(error) });
        failure = error;
      }
    }
    throw failure;
  }

  async #pullFrom(client: RegistryClient, reference: Reference, signal: AbortSignal): Promise<StoredImage> {
    const top = await this.#manifest(client, reference.digest ?? reference.tag ?? 'latest');
    const { manifest, bytes } = await this.#image(client, top, []);
    const configBytes = await this.#config(client, manifest.config);
    const slots = new Semaphore(limits.downloadsPerPullMax);
    const { images, clock } = this.#options;
    const tag = reference.digest ? undefined : tagName(reference);
    const install: ImageInstall = {
      manifestBytes: bytes,
      manifest,
      configBytes,
      tags: tag === undefined ? [] : [tag],
      digests: [digestName(reference, digestOf(top.bytes))],
      layer: (at) => {
        const blob = manifest.layers[at] as Descriptor;
        const path = images.blobs.downloadPath(blob.digest);
        return {
          packedDigest: blob.digest,
          fetch: (shared) => slots.run(() => downloadBlob(client, blob, { path, clock, signal: shared })),
          release: () => rm(path, { force: true }),
        };
      },
    };
    return images.install(install, signal);
  }

  async #manifest(client: RegistryClient, reference: string): Promise<Served> {
    const response = await client.get(`manifests/${reference}`, { accept: manifestTypes });
    const bytes = await readBytes(response, limits.manifestBytesMax);
    if (reference.startsWith('sha256:') && digestOf(bytes) !== reference) {
      throw new ImageError(
        'UNKNOWN',
        `the registry's manifest ${reference} has the digest ${digestOf(bytes)}`,
      );
    }
    return { bytes, type: response.headers.get('content-type')?.split(';')[0]?.trim() ?? '' };
  }

  /** The image's own manifest, found through `path`: the descriptors that led here. */
  async #image(
    client: RegistryClient,
    { bytes, type }: Served,
    path: readonly Descriptor[],
  ): Promise<{ manifest: Manifest; bytes: Buffer }> {
    const descriptor = path.at(-1);
    if (descriptor) checkSize(descriptor, bytes);
    const manifest = parseManifest(bytes, descriptor ? [type, descriptor.mediaType] : [type]);
    if (manifest.kind === 'manifest') return { manifest, bytes };
    if (path.length === limits.indexDepthMax)
      throw new ImageError('INVALID_ARGUMENT', 'image index leads to an index too often');
    const chosen = choosePlatform(manifest);
    return this.#image(client, await this.#manifest(client, chosen.digest), [...path, chosen]);
  }

  async #config(client: RegistryClient, descriptor: Descriptor): Promise<Buffer> {
    const response = await client.get(`blobs/${descriptor.digest}`);
    const bytes = await readBytes(response, limits.imageConfigBytesMax);
    const digest: Digest = digestOf(bytes);
    if (digest !== descriptor.digest) {
      throw new ImageError(
        'UNKNOWN',
        `the image configuration ${descriptor.digest} arrived with the digest ${digest}`,
      );
    }
    checkSize(descriptor, bytes);
    return bytes;
  }
}
