import { type FileHandle, open } from 'node:fs/promises';
import { ImageError } from '../errors.ts';
import type { FileSlice } from '../layers/compression.ts';
import { insideParts } from '../layers/entry-path.ts';
import { limits } from '../limits.ts';
import { applyPax, type PaxRecord, parsePax } from '../tar/extensions.ts';
import { isZeroBlock, oldGnuSparseFlag, parseHeader, tarBlockBytes, toEntry } from '../tar/header.ts';

const utf8 = new TextDecoder();
const padded = (size: number) => Math.ceil(size / tarBlockBytes) * tarBlockBytes;

/** Where each file of a plain tar lies, so that layers are unpacked straight from the archive. */
export class ArchiveIndex {
  readonly path: string;
  readonly #files = new Map<string, FileSlice>();
  readonly #links = new Map<string, string>();

  private constructor(path: string) {
    this.path = path;
  }

  /** Reads all headers of a tar file, skipping the content. Throws `ImageError` when it is damaged. */
  static async read(path: string): Promise<ArchiveIndex> {
    const index = new ArchiveIndex(path);
    const file = await open(path, 'r');
    try {
      await index.#scan(file);
    } finally {
      await file.close();
    }
    return index;
  }

  /** The names of all regular files. */
  names(): string[] {
    return [...this.#files.keys()];
  }

  /** Where a file lies; links are followed (old docker archives share layers by them). */
  slice(name: string): FileSlice | undefined {
    let key = insideParts(name).join('/');
    for (let links = 0; links < limits.symlinksMax; links++) {
      const found = this.#files.get(key);
      const target = this.#links.get(key);
      if (found || target === undefined) return found;
      key = target;
    }
    return undefined;
  }

  /** A small file's content. Throws `ImageError` INVALID_ARGUMENT when absent or larger than `bytesMax`. */
  async content(name: string, bytesMax: number): Promise<Buffer> {
    const slice = this.slice(name);
    if (!slice) throw new ImageError('INVALID_ARGUMENT', `image archive has no "${name}"`);
    if (slice.length > bytesMax) {
      throw new ImageError(
        'INVALID_ARGUMENT',
        `"${name}" in the image archive has ${slice.length} bytes, more than ${bytesMax}`,
      );
    }
    const file = await open(this.path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(slice.length),
        0,
        slice.length,
        slice.offset,
      );
      if (bytesRead < slice.length)
        throw new ImageError('INVALID_ARGUMENT', `image archive ends inside "${name}"`);
      return buffer;
    } finally {
      await file.close();
    }
  }

  async #scan(file: FileHandle): Promise<void> {
    const { size } = await file.stat();
    const block = Buffer.alloc(tarBlockBytes);
    const pending = { pax: [] as PaxRecord[], name: undefined as string | undefined };
    let offset = 0;
    for (let entries = 0; offset + tarBlockBytes <= size; entries++) {
      if (entries > limits.archiveEntriesMax)
        throw new ImageError('INVALID_ARGUMENT', 'image archive has too many entries');
      await file.read(block, 0, tarBlockBytes, offset);
      if (isZeroBlock(block)) break;
      const header = parseHeader(block);
      offset += tarBlockBytes;
      if ('xLKg'.includes(header.flag)) {
        if (!(header.size >= 0 && header.size <= limits.tarMetadataBytesMax))
          throw new ImageError('INVALID_ARGUMENT', 'tar header extension too large');
        const { buffer } = await file.read(Buffer.alloc(header.size), 0, header.size, offset);
        if (header.flag === 'x') pending.pax = parsePax(buffer);
        if (header.flag === 'L') pending.name = utf8.decode(buffer.subarray(0, buffer.indexOf(0)));
        offset += padded(header.size);
        continue;
      }
      if (pending.name !== undefined) header.path = pending.name;
      applyPax(header, pending.pax);
      pending.pax = [];
      pending.name = undefined;
      if (header.sparse || header.flag === oldGnuSparseFlag)
        throw new ImageError(
          'UNIMPLEMENTED',
          `"${header.path}" in the image archive is sparse; pack it without --sparse`,
        );
      const entry = toEntry(header);
      this.#add(entry.path, entry.type, entry.linkTarget, { path: this.path, offset, length: entry.size });
      offset += padded(entry.size);
    }
    if (offset > size) throw new ImageError('INVALID_ARGUMENT', 'image archive is cut off');
  }

  #add(path: string, type: string, target: string, slice: FileSlice): void {
    const parts = insideParts(path);
    const key = parts.join('/');
    if (type === 'file') this.#files.set(key, slice);
    if (type === 'link') this.#links.set(key, insideParts(target).join('/'));
    if (type === 'symlink')
      this.#links.set(key, insideParts([...parts.slice(0, -1), target].join('/')).join('/'));
  }
}
