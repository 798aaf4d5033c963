import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { type Counter, MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { ImageCollector } from './image-collector.ts';

const minuteMs = 60_000;
let clock: FakeClock;
let images: { id: string; size: number; pinned: boolean; tag: string }[];
let containers: { imageId: string; imageRef: string; image: { image: string } }[];
let removed: string[];
let events: string[];
let disk: { totalBytes: number; freeBytes: number };
let wanted: string[];
let counted: Counter;
let stuck: string | undefined;

beforeEach(() => {
  clock = new FakeClock();
  images = [];
  containers = [];
  removed = [];
  events = [];
  wanted = [];
  stuck = undefined;
  counted = new MetricsRegistry().counter('removed', '');
  disk = { totalBytes: 1_000, freeBytes: 100 };
});

function collector(more: object = {}): ImageCollector {
  const cri = {
    images: {
      listImages: async () => ({ images }),
      imageStatus: async ({ image }: { image: { image: string } }) => ({
        image: images.find(({ id, tag }) => image.image === id || image.image === tag),
      }),
      imageFsInfo: async () => ({ imageFilesystems: [{ fsId: { mountpoint: '/images' } }] }),
      removeImage: async ({ image }: { image: { image: string } }) => {
        if (image.image === stuck) throw new Error(`${stuck} is stuck`);
        removed.push(image.image);
        images = images.filter(({ id }) => id !== image.image);
      },
    },
    runtime: { listContainers: async () => ({ containers }) },
  } as unknown as CriClient;
  return new ImageCollector({
    cri,
    clock,
    logger: silentLogger,
    nodeName: 'n1',
    recorder: { record: ({ reason }) => void events.push(reason) },
    onListed: () => {},
    removed: counted,
    wantedImages: () => wanted,
    filesystem: async () => disk,
    configuration: {
      imageMinimumGCAge: 2 * minuteMs,
      imageMaximumGCAge: 0,
      imageGCHighThresholdPercent: 85,
      imageGCLowThresholdPercent: 80,
      ...more,
    },
  });
}

function add(id: string, size: number, more: object = {}): void {
  images.push({ id, size, pinned: false, tag: `docker.io/library/${id}:1`, ...more });
}

const use = (id: string) => ({ imageId: id, imageRef: id, image: { image: id } });

describe('ImageCollector', () => {
  it('frees the images longest out of use until the disk is down to the low threshold', async () => {
    for (const id of ['a', 'b', 'c']) add(id, 60);
    containers = [use('a'), use('b'), use('c')];
    disk = { totalBytes: 1_000, freeBytes: 160 };
    const subject = collector();
    for (const ended of ['b', 'a', 'c']) {
      await subject.collect();
      containers = containers.filter(({ imageId }) => imageId !== ended);
      await clock.advanceAsync(5 * minuteMs);
    }
    assert.deepEqual(removed, []);
    disk = { totalBytes: 1_000, freeBytes: 100 };
    await subject.collect();
    assert.deepEqual(removed, ['b', 'a']);
    assert.equal(counted.value({ reason: 'space' }), 2);
  });

  it('frees what nothing has used before what something has, however lately it came', async () => {
    add('used', 60);
    containers = [use('used')];
    disk = { totalBytes: 1_000, freeBytes: 160 };
    const subject = collector();
    await subject.collect();
    containers = [];
    await clock.advanceAsync(5 * minuteMs);
    add('later', 60);
    add('latest', 60);
    await subject.collect();
    await clock.advanceAsync(5 * minuteMs);
    disk = { totalBytes: 1_000, freeBytes: 100 };
    await subject.collect();
    assert.deepEqual(removed, ['later', 'latest']);
  });

  it('goes on when an image can not be removed, and says so at the end', async () => {
    for (const id of ['a', 'b', 'c']) add(id, 60);
    disk = { totalBytes: 1_000, freeBytes: 160 };
    const subject = collector({ imageMaximumGCAge: 60 * minuteMs });
    await subject.collect();
    await clock.advanceAsync(5 * minuteMs);
    disk = { totalBytes: 1_000, freeBytes: 100 };
    stuck = 'a';
    await assert.rejects(
      subject.collect(),
      /wanted to free 100 bytes, but freed 120 bytes space with errors in image deletion: a is stuck/,
    );
    assert.deepEqual(removed, ['b', 'c']);
    await clock.advanceAsync(60 * minuteMs);
    await assert.rejects(subject.collect(), /images older than 1h0m0s.*: a is stuck/);
  });

  it('keeps what is pinned, what a container uses, what a pod names, and what is new', async () => {
    add('pinned', 900, { pinned: true });
    add('used', 900);
    add('named', 900);
    containers = [use('used')];
    wanted = ['docker.io/library/named:1'];
    const subject = collector();
    await assert.rejects(subject.collect(), /image filesystem \(90% of 1000 B used\)/);
    await clock.advanceAsync(10 * minuteMs);
    add('new', 900);
    await assert.rejects(subject.collect(), /deleting unused images \(freed 0 bytes\)/);
    assert.deepEqual(removed, []);
    assert.deepEqual(events, ['FreeDiskSpaceFailed', 'FreeDiskSpaceFailed']);
  });

  it('frees what was idle for longer than imageMaximumGCAge, however empty the disk', async () => {
    disk = { totalBytes: 1_000, freeBytes: 900 };
    add('idle', 60);
    add('used', 60);
    containers = [use('used')];
    const subject = collector({ imageMaximumGCAge: 10 * minuteMs, imageGCHighThresholdPercent: 100 });
    await subject.collect();
    await clock.advanceAsync(10 * minuteMs);
    await subject.collect();
    assert.deepEqual(removed, []);
    await clock.advanceAsync(1);
    await subject.collect();
    assert.deepEqual(removed, ['idle']);
    assert.equal(counted.value({ reason: 'age' }), 1);
  });
});
