import { ImageError } from '../errors.ts';

/** Tar works in blocks of this many bytes. */
export const tarBlockBytes = 512;

const utf8 = new TextDecoder('utf-8', { fatal: false });

/** A text field of a header block: up to its first NUL. */
export function tarText(block: Uint8Array, offset: number, length: number): string {
  const field = block.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return utf8.decode(end < 0 ? field : field.subarray(0, end));
}

/**
 * A number field: octal text, or (GNU, for large and negative values) big-endian two's complement of base 256 with the
 * top bit set. Throws `ImageError` INVALID_ARGUMENT for anything else.
 */
export function tarNumber(block: Uint8Array, offset: number, length: number): number {
  const first = block[offset] ?? 0;
  if ((first & 0x80) !== 0) {
    let value = (first & 0x40) !== 0 ? first - 0x100 : first & 0x3f;
    for (let at = offset + 1; at < offset + length; at++) value = value * 256 + (block[at] ?? 0);
    if (!Number.isSafeInteger(value))
      throw new ImageError('INVALID_ARGUMENT', 'tar header has a number that is too large');
    return value;
  }
  const digits = tarText(block, offset, length).trim();
  if (!/^[0-7]*$/.test(digits))
    throw new ImageError(
      'INVALID_ARGUMENT',
      `tar header has ${JSON.stringify(digits)} where a number belongs`,
    );
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}
