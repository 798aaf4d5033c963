import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { pipeline, Transform } from 'node:stream';
import { OpenFolder } from '@wherry/linux';
import { OneFile } from '../tar/one-file.ts';
import { TarReader } from '../tar/reader.ts';
import { decompressor, type FileSlice, readSlice, sliceCompression } from './compression.ts';
import type { Digest } from './digest.ts';
import { FreeRoom } from './free-room.ts';
import { checkRatio, type UnpackBounds } from './layer-meter.ts';
import { type LayerUsage, LayerWriter } from './layer-writer.ts';

/** A layer to unpack: where its tar lies and which empty folder it goes to. */
export interface UnpackRequest {
  source: FileSlice;
  /** The source is no tar, but this one file of the layer. Default: it is a tar. */
  file?: string | undefined;
  folder: string;
  /** Folders of lower layers, nearest first; undefined when there are some, but not at hand. */
  parents: string[] | undefined;
  bounds: UnpackBounds;
}

/** What came out of it. */
export interface UnpackResult extends LayerUsage {
  /** Digest of the tar as it lay in the file. */
  digest: Digest;
  /** Digest of the uncompressed tar, which names the layer. */
  diffId: Digest;
}

/**
 * Unpacks one layer, which is not on the disk for certain by then. Mostly synchronous work: call it on a thread of its own, and `checkpoint` in
 * it to stop it by throwing. Rejects with `ImageError`, `ParentNeededError`, or what the file system said.
 */
export async function unpackLayer(
  { source, file: path, folder, parents, bounds }: UnpackRequest,
  checkpoint: () => void = () => {},
): Promise<UnpackResult> {
  const packed = { hash: createHash('sha256'), bytes: 0 };
  const plain = { hash: createHash('sha256'), bytes: 0 };
  using root = OpenFolder.at(folder);
  using writer = new LayerWriter({ root, parents, bounds });
  const reader =
    path === undefined ? new TarReader(writer) : new OneFile(writer, { path, bytes: source.length });
  const counting = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      packed.hash.update(chunk);
      packed.bytes += chunk.length;
      done(null, chunk);
    },
  });
  const room = new FreeRoom(folder);
  const unpacking = path === undefined ? decompressor(await sliceCompression(source)) : [];
  const stages = [counting, ...unpacking];
  const file = readSlice(source);
  // A failure of any stage destroys the last one, whose iteration then throws it.
  pipeline([file, ...stages], () => {});
  try {
    for await (const chunk of stages.at(-1) as AsyncIterable<Uint8Array>) {
      checkpoint();
      plain.hash.update(chunk);
      plain.bytes += chunk.length;
      checkRatio(bounds, { packed: packed.bytes, plain: plain.bytes });
      room.check(chunk.length);
      reader.push(chunk);
    }
  } finally {
    // The thread may be ended once this returns: nothing closes a file for it then.
    file.destroy();
    if (!file.closed) await once(file, 'close');
  }
  reader.end();
  writer.finish();
  return {
    ...writer.usage,
    digest: `sha256:${packed.hash.digest('hex')}`,
    diffId: `sha256:${plain.hash.digest('hex')}`,
  };
}
