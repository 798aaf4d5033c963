import { RuntimeError } from '../errors.ts';
import type { RawHeader } from './header.ts';

const utf8 = new TextDecoder();
const space = 0x20;
const equals = 0x3d;
const xattrPrefix = 'SCHILY.xattr.';

/** PAX records (`LENGTH KEY=VALUE\n`) by key; values stay bytes, because extended attributes are no text. */
export function parsePax(bytes: Uint8Array): Map<string, Uint8Array> {
  const records = new Map<string, Uint8Array>();
  let offset = 0;
  while (offset < bytes.length) {
    const gap = bytes.indexOf(space, offset);
    const length = gap < 0 ? Number.NaN : Number(utf8.decode(bytes.subarray(offset, gap)));
    const split = bytes.indexOf(equals, gap);
    if (!(length > 0) || offset + length > bytes.length || split < 0 || split >= offset + length) {
      throw new RuntimeError('INVALID_ARGUMENT', 'tar archive has a damaged PAX record');
    }
    records.set(utf8.decode(bytes.subarray(gap + 1, split)), bytes.slice(split + 1, offset + length - 1));
    offset += length;
  }
  return records;
}

const setters: ReadonlyMap<string, (header: RawHeader, value: string) => void> = new Map(
  Object.entries<(header: RawHeader, value: string) => void>({
    path: (header, value) => {
      header.path = value;
    },
    linkpath: (header, value) => {
      header.linkTarget = value;
    },
    size: (header, value) => {
      header.size = Number(value);
    },
    uid: (header, value) => {
      header.uid = Number(value);
    },
    gid: (header, value) => {
      header.gid = Number(value);
    },
    mtime: (header, value) => {
      header.modifiedSeconds = Number(value);
    },
  }),
);

/** Lets PAX records override a header. Throws `RuntimeError` UNIMPLEMENTED for sparse files. */
export function applyPax(header: RawHeader, records: ReadonlyMap<string, Uint8Array>): void {
  for (const [key, value] of records) {
    if (key.startsWith('GNU.sparse.')) {
      throw new RuntimeError(
        'UNIMPLEMENTED',
        `tar entry "${header.path}" is sparse; pack it without --sparse`,
      );
    }
    if (key.startsWith(xattrPrefix)) header.xattrs.set(key.slice(xattrPrefix.length), value);
    else setters.get(key)?.(header, utf8.decode(value));
  }
}
