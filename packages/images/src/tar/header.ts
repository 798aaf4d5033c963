import { ImageError } from '../errors.ts';
import { tarBlockBytes, tarNumber, tarText } from './fields.ts';
import type { SparsePiece } from './sparse.ts';

export { tarBlockBytes } from './fields.ts';

/** The kinds of entry that a layer may hold. */
export type TarEntryType = 'file' | 'link' | 'symlink' | 'character' | 'block' | 'directory' | 'fifo';

/** One entry of a tar archive, with PAX and GNU extensions already applied. */
export interface TarEntry {
  /** As written in the archive, for example `./etc/passwd`; never with a NUL. */
  path: string;
  type: TarEntryType;
  /** Permission bits with setuid, setgid and sticky. */
  mode: number;
  uid: number;
  gid: number;
  /** Bytes of the file, the holes of a sparse one counted. */
  size: number;
  /** Bytes of content that the archive holds. */
  storedBytes: number;
  modifiedSeconds: number;
  linkTarget: string;
  deviceMajor: number;
  deviceMinor: number;
  /** Extended attributes (PAX `SCHILY.xattr.*`), values as raw bytes. */
  xattrs: Map<string, Uint8Array>;
}

/** Where the content of a sparse file goes. */
export interface Sparseness {
  realSize: number;
  /** `inContent`: the archive's content begins with the map (PAX format 1.0). */
  pieces: SparsePiece[] | 'inContent';
}

/** A header block before extensions are applied: its type flag decides what it is. */
export interface RawHeader extends Omit<TarEntry, 'type' | 'storedBytes'> {
  flag: string;
  sparse?: Sparseness;
}

const checksumOffset = 148;

function checkSum(block: Uint8Array): void {
  let sum = 0;
  for (let at = 0; at < tarBlockBytes; at++) {
    sum += at >= checksumOffset && at < checksumOffset + 8 ? 0x20 : (block[at] ?? 0);
  }
  if (sum !== tarNumber(block, checksumOffset, 8)) {
    throw new ImageError(
      'INVALID_ARGUMENT',
      'tar header has a wrong checksum: the archive is damaged or no tar',
    );
  }
}

/** Whether a block holds nothing but zeros, as the two that end an archive do. */
export const isZeroBlock = (block: Uint8Array): boolean => block.every((byte) => byte === 0);

/** Reads one 512-byte header block (ustar and GNU). Throws `ImageError` INVALID_ARGUMENT on a bad checksum or number. */
export function parseHeader(block: Uint8Array): RawHeader {
  checkSum(block);
  const prefix = tarText(block, 257, 6) === 'ustar' ? tarText(block, 345, 155) : '';
  const name = tarText(block, 0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    mode: tarNumber(block, 100, 8) & 0o7777,
    uid: tarNumber(block, 108, 8),
    gid: tarNumber(block, 116, 8),
    size: tarNumber(block, 124, 12),
    modifiedSeconds: tarNumber(block, 136, 12),
    flag: String.fromCharCode(block[156] ?? 0),
    linkTarget: tarText(block, 157, 100),
    deviceMajor: tarNumber(block, 329, 8),
    deviceMinor: tarNumber(block, 337, 8),
    xattrs: new Map(),
  };
}

/** The type flag of GNU tar's own sparse files. */
export const oldGnuSparseFlag = 'S';

const types = new Map<string, TarEntryType>([
  ['\0', 'file'],
  ['0', 'file'],
  ['1', 'link'],
  ['2', 'symlink'],
  ['3', 'character'],
  ['4', 'block'],
  ['5', 'directory'],
  ['6', 'fifo'],
  ['7', 'file'],
  [oldGnuSparseFlag, 'file'],
]);

/** Ids and device numbers that the kernel takes: 32 bits, of which the last id means "none". */
const idMax = 2 ** 32 - 2;
const isId = (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= idMax;

/** The entry that a finished header stands for. Throws `ImageError` UNIMPLEMENTED for unknown types, or invalid. */
export function toEntry(header: RawHeader): TarEntry {
  const { sparse, flag, size, ...entry } = header;
  const bad = (why: string) =>
    new ImageError('INVALID_ARGUMENT', `tar entry ${JSON.stringify(header.path)} ${why}`);
  const type = types.get(flag);
  if (type === undefined) {
    throw new ImageError('UNIMPLEMENTED', `tar entry "${header.path}" has the unknown type "${flag}"`);
  }
  if (!Number.isSafeInteger(size) || size < 0) throw bad(`has the bad size ${size}`);
  if (header.path.includes('\0') || header.linkTarget.includes('\0')) throw bad('has a NUL in its name');
  const ids = [header.uid, header.gid, header.deviceMajor, header.deviceMinor];
  if (!ids.every(isId)) throw bad(`has an owner or device number out of range (${ids.join(', ')})`);
  if (!Number.isFinite(header.modifiedSeconds)) throw bad('has a bad time');
  const isDirectory = type === 'directory' || (type === 'file' && header.path.endsWith('/'));
  if (sparse && (type !== 'file' || isDirectory)) throw bad('is sparse, but no file');
  const storedBytes = type === 'file' && !isDirectory ? size : 0;
  return {
    ...entry,
    type: isDirectory ? 'directory' : type,
    size: sparse?.realSize ?? storedBytes,
    storedBytes,
  };
}
