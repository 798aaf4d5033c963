import { createHash } from 'node:crypto';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFilesystem } from '@wherry/linux';
import { TarReader } from '../tar/reader.ts';
import { decompressor, type FileSlice, readSlice, sliceCompression } from './compression.ts';
import type { Digest } from './digest.ts';
import { type LayerUsage, LayerWriter } from './layer-writer.ts';

/** A layer to unpack: where its tar lies and which empty folder it goes to. */
export interface UnpackRequest {
  source: FileSlice;
  folder: string;
  /** Folders of lower layers, nearest first; only needed for hard links into them. */
  parents: string[];
}

/** What came out of it. */
export interface UnpackResult extends LayerUsage {
  /** Digest of the tar as it lay in the file. */
  digest: Digest;
  /** Digest of the uncompressed tar, which names the layer. */
  diffId: Digest;
}

/** Unpacks one layer and makes it durable. Mostly synchronous work: call it on a thread of its own. */
export async function unpackLayer({ source, folder, parents }: UnpackRequest): Promise<UnpackResult> {
  const packed = createHash('sha256');
  const plain = createHash('sha256');
  const writer = new LayerWriter(folder, parents);
  const reader = new TarReader(writer);
  const counting = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      packed.update(chunk);
      done(null, chunk);
    },
  });
  const unpacked = decompressor(await sliceCompression(source)) ?? new PassThrough();
  try {
    await pipeline(
      Readable.from(readSlice(source)),
      counting,
      unpacked,
      async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) {
          plain.update(chunk);
          reader.push(chunk);
        }
      },
    );
    reader.end();
    writer.finish();
    syncFilesystem(folder);
  } finally {
    writer.abandon();
  }
  return {
    ...writer.usage,
    digest: `sha256:${packed.digest('hex')}`,
    diffId: `sha256:${plain.digest('hex')}`,
  };
}
