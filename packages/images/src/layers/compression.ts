import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { isZstdMagic, ZstdFrames } from './zstd-frames.ts';

/** How a stream is packed. */
export type Compression = 'none' | 'gzip' | 'zstd';

/** Bytes needed to tell. */
export const magicBytes = 4;

/** Tells by the first bytes, because media types of old images lie. */
export function compressionOf(head: Uint8Array): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.length >= magicBytes && isZstdMagic(Buffer.from(head).readUInt32LE())) return 'zstd';
  return 'none';
}

/** Each chunk is a way to libuv's pool and back: with Node's 16 KiB those take half as long again as the decoding itself. */
const plainChunkBytes = 512 * 1024;

/** The decoder's stages, to be put one after another; none for plain bytes. */
export function decompressor(compression: Compression): Transform[] {
  const chunkSize = plainChunkBytes;
  if (compression === 'gzip') return [createGunzip({ chunkSize })];
  return compression === 'zstd' ? [new ZstdFrames(), createZstdDecompress({ chunkSize })] : [];
}

/** A piece of a file. */
export interface FileSlice {
  path: string;
  offset: number;
  length: number;
}

const readBytes = 256 * 1024;

/** Reads a slice of a file piece by piece. */
export function readSlice({ path, offset, length }: FileSlice): Readable {
  if (length === 0) return Readable.from([]);
  return createReadStream(path, { start: offset, end: offset + length - 1, highWaterMark: readBytes });
}

/** How a slice of a file is packed. */
export async function sliceCompression({ path, offset, length }: FileSlice): Promise<Compression> {
  const file = await open(path, 'r');
  try {
    const head = new Uint8Array(magicBytes);
    await file.read(head, 0, Math.min(magicBytes, length), offset);
    return compressionOf(head);
  } finally {
    await file.close();
  }
}
