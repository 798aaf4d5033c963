/** One image of two layers with files of many sizes, and what a store must look like that has it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { ImageStore } from '../src/store/image-store.ts';
import { archiveOf, imageOf } from './image-delivery.ts';
import { folder, rawTar, symlink } from './raw-tar.ts';

/** Incompressible and different, so that what is missing or exchanged shows. */
function noise(bytes: number, seed: string): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, at) =>
    createHash('sha256').update(`${seed} ${at}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, bytes);
}

/** Two layers of files of many sizes. */
const layers = ['one', 'two'].map((layer) => ({
  plain: rawTar([
    folder(`${layer}/`),
    ...Array.from({ length: 30 }, (_, at) => ({
      path: `${layer}/file${at}`,
      content: noise(at * at * 300, `${layer} ${at}`),
      mode: 0o640,
    })),
    symlink(`${layer}/link`, 'file1'),
  ]),
}));
/** The image's archive. */
export const archive = archiveOf(imageOf(layers), 'example.test/kept:v1');

/** Opens a store in this folder. */
export async function openStore(root: string): Promise<ImageStore> {
  const store = new ImageStore({ root, clock: systemClock, logger: silentLogger });
  await store.open();
  return store;
}

/** Everything in a folder: paths, modes, owners, contents. */
function treeOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const status = lstatSync(join(root, path));
      const digest = status.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(root, path)))
            .digest('hex')
        : status.isSymbolicLink()
          ? readlinkSync(join(root, path))
          : '';
      return `${path} ${status.mode.toString(8)} ${status.uid} ${digest}`;
    });
}

/** What each layer of the image looks like when it is whole, by diff id. */
const whole = new Map<string, string[]>();

/** To be called first, with a store on a disk that does not fail: what lies in it then is what must lie in others. */
export function rememberWhole(store: ImageStore): void {
  for (const { key, diffId } of store.layers.list())
    whole.set(diffId, treeOf(join(store.layers.root, key, 'd')));
  assert.equal(whole.size, 2);
}

/** Checks that every layer a store knows is whole, and every image has its layers; answers how many images. */
export function assertSound(store: ImageStore): number {
  for (const { key, diffId } of store.layers.list())
    assert.deepEqual(treeOf(join(store.layers.root, key, 'd')), whole.get(diffId), `layer ${key}`);
  for (const image of store.catalog.list())
    for (const key of image.layerKeys) assert.ok(store.layers.get(key), `image lacks layer ${key}`);
  const left = readdirSync(store.layers.root).filter((entry) => !store.layers.get(entry));
  assert.deepEqual(left, [], 'nothing half-made is left');
  return store.catalog.list().length;
}
