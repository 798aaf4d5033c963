import { type Clock, sleep } from '@wherry/clock';
import type { CriClient, Image } from '@wherry/cri';
import { aggregateText } from '@wherry/kubeapi';
import type { Counter, Logger } from '@wherry/telemetry';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';
import { formatDuration } from '../../configuration/duration.ts';
import { readFilesystem } from '../../ground/machine-info.ts';
import { imageCollectionMs } from '../../limits.ts';
import { type EventRecorder, nodeEvents } from '../../reporting/events/recorder.ts';

/** What the collector is made of. */
export interface ImageCollectorOptions {
  cri: CriClient;
  configuration: Pick<
    KubeletConfiguration,
    'imageMinimumGCAge' | 'imageMaximumGCAge' | 'imageGCHighThresholdPercent' | 'imageGCLowThresholdPercent'
  >;
  nodeName: string;
  clock: Clock;
  logger: Logger;
  recorder: EventRecorder;
  /** Images that pods of this node name, running or not: those of volumes too. */
  wantedImages(): Iterable<string>;
  /** All images that are there, and when they were asked for. */
  onListed(images: readonly Image[], askedMs: number): void;
  /** Images that were removed, by why. */
  removed: Counter;
  /** Size and free space of a file system. Default: asked of the kernel. */
  filesystem?: (folder: string) => Promise<{ totalBytes: number; freeBytes: number }>;
}

/** Why an image goes, as it is counted and as it is logged. */
const removalReasons = { age: 'it was not used for long', space: 'the disk is full' };

const sizeUnits = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A size with one decimal in the unit that fits, as upstream's event has it. */
function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  const power = Math.min(sizeUnits.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1_024 ** power).toFixed(1)} ${sizeUnits[power - 1]}`;
}

interface ImageHistory {
  detectedMs: number;
  /** -Infinity while nothing has used it. */
  usedMs: number;
}

/**
 * Removes images that nothing uses: by age, and, when the disk that holds them is fuller than the high threshold, those
 * never or longest not used until it is down to the low one. Upstream: pkg/kubelet/images/image_gc_manager.go. Pinned images,
 * those of containers that exist and those that a pod of the node names are kept.
 */
export class ImageCollector {
  readonly #options: ImageCollectorOptions;
  readonly #abort = new AbortController();
  readonly #known = new Map<string, ImageHistory>();
  #failures = 0;

  constructor(options: ImageCollectorOptions) {
    this.#options = options;
  }

  /** Looks at once and then every five minutes; does nothing when the configuration switches it off. */
  start(): void {
    const { imageGCHighThresholdPercent, imageMaximumGCAge } = this.#options.configuration;
    if (imageGCHighThresholdPercent < 100 || imageMaximumGCAge > 0) void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        await this.collect();
        this.#failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.#failures += 1;
        logger.warn('images could not be collected', { error });
        // The first failure may be that the runtime has not counted yet.
        if (this.#failures > 1) this.#tell('ImageGCFailed', (error as Error).message);
      }
      await sleep({ clock, delayMs: imageCollectionMs, signal }).catch(() => {});
    }
  }

  /** One round. Throws when the runtime does not answer, an image can't be removed or not enough could be freed. */
  async collect(): Promise<void> {
    const { configuration, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    const unused = await this.#unusedImages();
    const { imageMaximumGCAge: idleMsMax } = configuration;
    const old = idleMsMax > 0 ? unused.filter(({ id }) => startedMs - this.#idleSince(id) > idleMsMax) : [];
    const { failures } = await this.#removeEach(old, {
      reason: 'age',
      wantedBytes: Number.POSITIVE_INFINITY,
    });
    if (failures.length > 0)
      throw new Error(
        `wanted to free images older than ${formatDuration(idleMsMax)}, encountered errors in image deletion: ${aggregateText(failures.map(({ message }) => message))}`,
        { cause: failures[0] },
      );
    await this.#freeSpace(
      unused.filter((image) => !old.includes(image)),
      startedMs,
    );
  }

  /** Removes what nothing uses, however full the disk is. Throws when the runtime does not answer or an image can't be removed. */
  async removeUnused(): Promise<void> {
    const startedMs = this.#options.clock.monotonicMs();
    await this.#removeOldest(await this.#unusedImages(), startedMs, Number.POSITIVE_INFINITY);
  }

  async #freeSpace(candidates: readonly Image[], startedMs: number): Promise<void> {
    const { configuration } = this.#options;
    const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = configuration;
    if (high === 100) return;
    const { totalBytes, freeBytes } = await this.#disk();
    if (totalBytes === 0) {
      this.#tell('InvalidDiskCapacity', 'invalid capacity 0 on image filesystem');
      throw new Error('invalid capacity 0 on image filesystem');
    }
    const usedPercent = 100 - Math.floor((Math.min(freeBytes, totalBytes) * 100) / totalBytes);
    if (usedPercent < high) return;
    const wantedBytes = Math.floor((totalBytes * (100 - low)) / 100) - freeBytes;
    const freedBytes = await this.#removeOldest(candidates, startedMs, wantedBytes);
    if (freedBytes >= wantedBytes) return;
    const message =
      `Insufficient free disk space on the node's image filesystem (${usedPercent}% of ${sizeText(totalBytes)} used). ` +
      `Failed to free sufficient space by deleting unused images (freed ${freedBytes} bytes). ` +
      'Investigate disk usage, as it could be used by active images, logs, volumes, or other data.';
    this.#tell('FreeDiskSpaceFailed', message);
    throw new Error(message);
  }

  /** Removes images that have been here for the minimum age until so much is freed; how much that was. */
  async #removeOldest(candidates: readonly Image[], startedMs: number, wantedBytes: number): Promise<number> {
    const { imageMinimumGCAge } = this.#options.configuration;
    const old = candidates.filter(({ id }) => {
      const { detectedMs } = this.#known.get(id) ?? { detectedMs: startedMs };
      return startedMs - detectedMs >= imageMinimumGCAge;
    });
    const { freedBytes, failures } = await this.#removeEach(old, { reason: 'space', wantedBytes });
    if (failures.length === 0) return freedBytes;
    const wanted = wantedBytes === Number.POSITIVE_INFINITY ? 'all unused images' : `${wantedBytes} bytes`;
    throw new Error(
      `wanted to free ${wanted}, but freed ${freedBytes} bytes space with errors in image deletion: ${aggregateText(failures.map(({ message }) => message))}`,
      { cause: failures[0] },
    );
  }

  /** Removes one after the other until so much is freed; one that can not be removed keeps no other here. */
  async #removeEach(
    images: readonly Image[],
    { reason, wantedBytes }: { reason: keyof typeof removalReasons; wantedBytes: number },
  ): Promise<{ freedBytes: number; failures: Error[] }> {
    const failures: Error[] = [];
    let freedBytes = 0;
    for (const image of images) {
      this.#abort.signal.throwIfAborted();
      try {
        await this.#remove(image, reason);
        freedBytes += image.size;
      } catch (error) {
        failures.push(error as Error);
      }
      if (freedBytes >= wantedBytes) break;
    }
    return { freedBytes, failures };
  }

  /** Images that nothing needs, the longest out of use first. */
  async #unusedImages(): Promise<Image[]> {
    const { cri, clock, onListed } = this.#options;
    const { signal } = this.#abort;
    const askedMs = clock.nowMs();
    const { images } = await cri.images.listImages({}, { signal });
    onListed(images, askedMs);
    const used = await this.#usedIds();
    const nowMs = clock.monotonicMs();
    for (const { id } of images) {
      const history = this.#known.get(id) ?? { detectedMs: nowMs, usedMs: Number.NEGATIVE_INFINITY };
      if (used.has(id)) history.usedMs = nowMs;
      this.#known.set(id, history);
    }
    const present = new Set(images.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!present.has(id)) this.#known.delete(id);
    return images
      .filter(({ id, pinned }) => !used.has(id) && !pinned)
      .sort((a, b) => this.#compareUse(a.id, b.id));
  }

  /** What nothing has used goes before all that something has; among these what was found first. */
  #compareUse(one: string, other: string): number {
    const never = { detectedMs: 0, usedMs: Number.NEGATIVE_INFINITY };
    const [a = never, b = never] = [this.#known.get(one), this.#known.get(other)];
    if (a.usedMs !== b.usedMs) return a.usedMs < b.usedMs ? -1 : 1;
    return a.detectedMs - b.detectedMs;
  }

  async #usedIds(): Promise<Set<string>> {
    const { cri, wantedImages } = this.#options;
    const { signal } = this.#abort;
    const { containers } = await cri.runtime.listContainers({}, { signal });
    const named = new Set([...containers.flatMap(({ image }) => image?.image ?? []), ...wantedImages()]);
    const found = [...named].map(async (name) => {
      const { image } = await cri.images.imageStatus({ image: { image: name } }, { signal });
      return image?.id;
    });
    const ids = [
      ...containers.flatMap(({ imageId, imageRef }) => [imageId, imageRef]),
      ...(await Promise.all(found)),
    ];
    return new Set(ids.filter((id) => id !== undefined));
  }

  #idleSince(id: string): number {
    const { detectedMs = 0, usedMs = 0 } = this.#known.get(id) ?? {};
    return Math.max(detectedMs, usedMs);
  }

  async #remove({ id, size }: Image, reason: keyof typeof removalReasons): Promise<void> {
    const { cri, logger, removed } = this.#options;
    logger.info('an unused image is removed', { image: id, bytes: size, why: removalReasons[reason] });
    await cri.images.removeImage({ image: { image: id } }, { signal: this.#abort.signal });
    this.#known.delete(id);
    removed.add(1, { reason });
  }

  async #disk(): Promise<{ totalBytes: number; freeBytes: number }> {
    const { cri, filesystem = readFilesystem } = this.#options;
    const { imageFilesystems } = await cri.images.imageFsInfo({}, { signal: this.#abort.signal });
    const folder = imageFilesystems[0]?.fsId?.mountpoint;
    if (!folder) throw new Error('the runtime does not say where it keeps its images');
    return filesystem(folder);
  }

  #tell(reason: string, message: string): void {
    const { recorder, nodeName } = this.#options;
    nodeEvents(recorder, nodeName).warn(reason, message);
  }
}
