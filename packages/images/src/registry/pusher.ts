import { createReadStream } from 'node:fs';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { ImageError } from '../errors.ts';
import type { HostSource } from '../hosts/registry-config.ts';
import { type Digest, digestOf } from '../layers/digest.ts';
import { limits } from '../limits.ts';
import type { StoredImage } from '../store/image-record.ts';
import type { ImageStore } from '../store/image-store.ts';
import { type Descriptor, mediaTypeOf, parseManifest } from '../store/manifest.ts';
import { digestName, parseReference, type Reference } from '../store/reference.ts';
import { Semaphore } from '../store/semaphore.ts';
import type { Transports } from '../transport/transports.ts';
import { unread } from './answer-body.ts';
import { type BlobUpload, uploadBlob } from './blob-upload.ts';
import type { RegistryAuth } from './credentials.ts';
import type { OnProgress } from './progress.ts';
import type { RegistryClient } from './registry-client.ts';
import { Repository } from './repository.ts';
import { withRetries } from './retries.ts';

/** What a pusher works with. */
export interface PusherOptions {
  images: ImageStore;
  hosts: HostSource;
  transports: Transports;
  clock: Clock;
  logger: Logger;
}

/** How one image is pushed. */
export interface PushOptions {
  /** The name to push it under. Default: the one it was found by. */
  as?: string | undefined;
  auth?: RegistryAuth | undefined;
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
}

/** Sends images to registries. */
export class Pusher {
  readonly #options: PusherOptions;

  constructor(options: PusherOptions) {
    this.#options = options;
  }

  /**
   * Pushes an image; what the registry has already is not sent again, and what it has in another repository of the image
   * is mounted from there. Answers the canonical `repository@digest`. Rejects with `ImageError`, or the signal's reason.
   */
  async push(name: string, { as = name, auth, signal, onProgress }: PushOptions): Promise<string> {
    const { images, hosts, transports, clock, logger } = this.#options;
    const image = images.find(name);
    const reference = parseReference(as);
    const release = images.hold(image);
    try {
      const bytes = await images.blobs.get(image.manifestDigest);
      const manifest = parseManifest(bytes);
      if (manifest.kind !== 'manifest') throw new ImageError('UNIMPLEMENTED', `image "${name}" is an index`);
      const repository = new Repository({
        reference,
        hosts: await hosts.hostsFor(reference),
        auth,
        transports,
        clock,
        logger,
      });
      const client = repository.pushClient;
      const blobs = new Map([manifest.config, ...manifest.layers].map((blob) => [blob.digest, blob]));
      await this.#sendAll([...blobs.values()], { client, image, reference, signal, onProgress });
      return await putManifest(client, { reference, bytes, clock, signal });
    } finally {
      release();
    }
  }

  /** Sends the blobs, some at a time; the first failure stops the rest. */
  async #sendAll(
    blobs: readonly Descriptor[],
    { client, image, reference, signal, onProgress }: Sending,
  ): Promise<void> {
    const failure = new AbortController();
    const either = AbortSignal.any([failure.signal, signal]);
    const slots = new Semaphore(limits.uploadsPerPushMax);
    const mountFrom = otherRepositories(image, reference);
    const work = blobs.map((blob) =>
      slots.run(async () => {
        either.throwIfAborted();
        const open = await this.#opener(blob);
        await uploadBlob({
          client,
          blob,
          mountFrom,
          open,
          clock: this.#options.clock,
          signal: either,
          onProgress,
        });
      }),
    );
    for (const one of work) one.catch((error) => failure.abort(error));
    await Promise.allSettled(work);
    signal.throwIfAborted();
    if (failure.signal.aborted) throw failure.signal.reason;
  }

  /** The way to a blob's content; undefined when it was not kept, which matters only where the registry lacks it. */
  async #opener({ digest, size }: Descriptor): Promise<BlobUpload['open']> {
    const { blobs } = this.#options.images;
    const path = await blobs.find(digest, size);
    return path === undefined
      ? undefined
      : (start) => createReadStream(path, { start, highWaterMark: readBytes });
  }
}

const readBytes = 256 * 1024;

interface Sending {
  client: RegistryClient;
  image: StoredImage;
  reference: Reference;
  signal: AbortSignal;
  onProgress: OnProgress | undefined;
}

/** Repositories of the same registry that the image is known in: its blobs may be mounted from there. */
function otherRepositories(image: StoredImage, { domain, path }: Reference): string[] {
  const known = [...image.tags, ...image.digests].map(parseReference);
  const paths = known
    .filter((other) => other.domain === domain && other.path !== path)
    .map((other) => other.path);
  return [...new Set(paths)];
}

async function putManifest(
  client: RegistryClient,
  {
    reference,
    bytes,
    clock,
    signal,
  }: { reference: Reference; bytes: Buffer; clock: Clock; signal: AbortSignal },
): Promise<string> {
  const digest: Digest = digestOf(bytes);
  const put = () =>
    client.request(`manifests/${reference.tag ?? digest}`, {
      method: 'PUT',
      headers: { 'content-type': mediaTypeOf(bytes), 'content-length': String(bytes.length) },
      body: () => bytes,
      signal,
    });
  const answer = await withRetries(put, { clock, signal, after: ['refused'] });
  unread(answer);
  const stored = answer.headers['docker-content-digest'];
  if (stored !== undefined && stored !== digest)
    throw new ImageError('UNKNOWN', `the registry stored the manifest ${digest} as ${String(stored)}`);
  return digestName(reference, digest);
}
