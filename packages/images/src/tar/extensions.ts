import { ImageError } from '../errors.ts';
import type { RawHeader } from './header.ts';
import { pairPieces } from './sparse.ts';

/** One record of an extended header; values stay bytes, because extended attributes are no text. */
export type PaxRecord = readonly [key: string, value: Uint8Array];

const utf8 = new TextDecoder();
const [space, equals, newline] = [0x20, 0x3d, 0x0a];
const xattrPrefix = 'SCHILY.xattr.';
const sparsePrefix = 'GNU.sparse.';

const damaged = () => new ImageError('INVALID_ARGUMENT', 'tar archive has a damaged PAX record');

/** PAX records (`LENGTH KEY=VALUE\n`) in their order; keys may come again. Throws `ImageError` INVALID_ARGUMENT. */
export function parsePax(bytes: Uint8Array): PaxRecord[] {
  const records: PaxRecord[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const gap = bytes.indexOf(space, offset);
    const digits = gap < 0 ? '' : utf8.decode(bytes.subarray(offset, gap));
    const end = /^[1-9]\d{0,9}$/.test(digits) ? offset + Number(digits) : Number.NaN;
    const split = bytes.indexOf(equals, gap);
    if (!(end <= bytes.length) || split < 0 || split >= end - 1 || bytes[end - 1] !== newline)
      throw damaged();
    records.push([utf8.decode(bytes.subarray(gap + 1, split)), bytes.slice(split + 1, end - 1)]);
    offset = end;
  }
  return records;
}

function numberOf(key: string, value: string, pattern: RegExp): number {
  if (!pattern.test(value))
    throw new ImageError(
      'INVALID_ARGUMENT',
      `tar archive has the PAX record ${key}=${JSON.stringify(value)}`,
    );
  return Number(value);
}

const whole = /^\d{1,16}$/;
const seconds = /^-?\d{1,16}(\.\d*)?$/;

const setters = new Map<string, (value: string) => Partial<RawHeader>>([
  ['path', (path) => ({ path })],
  ['linkpath', (linkTarget) => ({ linkTarget })],
  ['size', (value) => ({ size: numberOf('size', value, whole) })],
  ['uid', (value) => ({ uid: numberOf('uid', value, whole) })],
  ['gid', (value) => ({ gid: numberOf('gid', value, whole) })],
  ['mtime', (value) => ({ modifiedSeconds: numberOf('mtime', value, seconds) })],
]);

/** Lets PAX records override a header; of a key that comes twice the last counts. Throws `ImageError` INVALID_ARGUMENT. */
export function applyPax(header: RawHeader, records: readonly PaxRecord[]): void {
  const sparse: [string, string][] = [];
  for (const [key, value] of records) {
    if (key.startsWith(sparsePrefix)) sparse.push([key.slice(sparsePrefix.length), utf8.decode(value)]);
    else if (key.startsWith(xattrPrefix)) header.xattrs.set(key.slice(xattrPrefix.length), value);
    else Object.assign(header, setters.get(key)?.(utf8.decode(value)));
  }
  if (sparse.length > 0) applySparse(header, sparse);
}

/** The three ways in which GNU tar writes sparse files into PAX records: formats 0.0, 0.1 and 1.0 of its manual. */
function applySparse(header: RawHeader, records: readonly (readonly [string, string])[]): void {
  const last = new Map(records);
  const version = `${last.get('major') ?? '0'}.${last.get('minor') ?? '0'}`;
  header.path = last.get('name') ?? header.path;
  const realSize = numberOf('GNU.sparse.size', last.get('realsize') ?? last.get('size') ?? '', whole);
  if (version === '1.0') {
    header.sparse = { realSize, pieces: 'inContent' };
    return;
  }
  if (!['0.0', '0.1'].includes(version))
    throw new ImageError('UNIMPLEMENTED', `tar entry "${header.path}" has the sparse format ${version}`);
  const pairs = records.filter(([key]) => key === 'offset' || key === 'numbytes');
  if (pairs.some(([key], at) => key !== (at % 2 === 0 ? 'offset' : 'numbytes'))) throw damaged();
  const map = last.get('map');
  const numbers = map === undefined ? pairs.map(([, value]) => value) : map === '' ? [] : map.split(',');
  header.sparse = { realSize, pieces: pairPieces(header.path, numbers) };
}
