import { RuntimeError } from '../errors.ts';

/** The kinds of entry that a layer may hold. */
export type TarEntryType = 'file' | 'link' | 'symlink' | 'character' | 'block' | 'directory' | 'fifo';

/** One entry of a tar archive, with PAX and GNU extensions already applied. */
export interface TarEntry {
  /** As written in the archive, for example `./etc/passwd`. */
  path: string;
  type: TarEntryType;
  /** Permission bits with setuid, setgid and sticky. */
  mode: number;
  uid: number;
  gid: number;
  /** Bytes of content that follow. */
  size: number;
  modifiedSeconds: number;
  linkTarget: string;
  deviceMajor: number;
  deviceMinor: number;
  /** Extended attributes (PAX `SCHILY.xattr.*`), values as raw bytes. */
  xattrs: Map<string, Uint8Array>;
}

/** Tar works in blocks of this many bytes. */
export const tarBlockBytes = 512;

/** A header block before extensions are applied: its type flag decides what it is. */
export interface RawHeader extends Omit<TarEntry, 'type'> {
  flag: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: false });

function text(block: Uint8Array, offset: number, length: number): string {
  const field = block.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return utf8.decode(end < 0 ? field : field.subarray(0, end));
}

/** Numbers are octal text, or (GNU, for large values) big-endian base 256 with the top bit set. */
function number(block: Uint8Array, offset: number, length: number): number {
  if (((block[offset] ?? 0) & 0x80) !== 0) {
    let value = (block[offset] ?? 0) & 0x7f;
    for (let at = offset + 1; at < offset + length; at++) value = value * 256 + (block[at] ?? 0);
    return value;
  }
  const digits = text(block, offset, length).trim();
  const value = digits === '' ? 0 : Number.parseInt(digits, 8);
  if (Number.isNaN(value))
    throw new RuntimeError('INVALID_ARGUMENT', `tar header has "${digits}" where a number belongs`);
  return value;
}

const checksumOffset = 148;

function checkSum(block: Uint8Array): void {
  let sum = 0;
  for (let at = 0; at < tarBlockBytes; at++) {
    sum += at >= checksumOffset && at < checksumOffset + 8 ? 0x20 : (block[at] ?? 0);
  }
  if (sum !== number(block, checksumOffset, 8)) {
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      'tar header has a wrong checksum: the archive is damaged or no tar',
    );
  }
}

/** Whether a block holds nothing but zeros, as the two that end an archive do. */
export const isZeroBlock = (block: Uint8Array): boolean => block.every((byte) => byte === 0);

/** Reads one 512-byte header block (ustar and GNU). Throws `RuntimeError` INVALID_ARGUMENT on a bad checksum or number. */
export function parseHeader(block: Uint8Array): RawHeader {
  checkSum(block);
  const prefix = text(block, 257, 6) === 'ustar' ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  return {
    path: prefix === '' ? name : `${prefix}/${name}`,
    mode: number(block, 100, 8) & 0o7777,
    uid: number(block, 108, 8),
    gid: number(block, 116, 8),
    size: number(block, 124, 12),
    modifiedSeconds: number(block, 136, 12),
    flag: String.fromCharCode(block[156] ?? 0),
    linkTarget: text(block, 157, 100),
    deviceMajor: number(block, 329, 8),
    deviceMinor: number(block, 337, 8),
    xattrs: new Map(),
  };
}

const types: ReadonlyMap<string, TarEntryType> = new Map([
  ['\0', 'file'],
  ['0', 'file'],
  ['1', 'link'],
  ['2', 'symlink'],
  ['3', 'character'],
  ['4', 'block'],
  ['5', 'directory'],
  ['6', 'fifo'],
  ['7', 'file'],
]);

/** The entry that a finished header stands for. Throws `RuntimeError` UNIMPLEMENTED for sparse and unknown types. */
export function toEntry(header: RawHeader): TarEntry {
  const type = types.get(header.flag);
  if (type === undefined) {
    throw new RuntimeError(
      'UNIMPLEMENTED',
      `tar entry "${header.path}" has the unknown type "${header.flag}"`,
    );
  }
  const isDirectory = type === 'directory' || (type === 'file' && header.path.endsWith('/'));
  return { ...header, type: isDirectory ? 'directory' : type, size: type === 'file' ? header.size : 0 };
}
