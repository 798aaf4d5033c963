import type { GoString } from './go-value.ts';
import { countRunes } from './runes.ts';

/** What stands between `%` and the verb. */
export interface PrintFlags {
  plus: boolean;
  minus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  width: number | undefined;
  precision: number | undefined;
  /** `%#v`: as Go's source says the value. */
  isSource: boolean;
}

/** Of a verb that stands alone. */
export const noFlags = (): PrintFlags => ({
  ...{ plus: false, minus: false, sharp: false, space: false, zero: false, isSource: false },
  ...{ width: undefined, precision: undefined },
});

/** A text as wide as was asked for, counted in code points. */
export function padded(text: GoString, flags: PrintFlags): GoString {
  return paddedBy(text, (flags.width ?? 0) - countRunes(text), flags);
}

/** A text with so much more in front of it or behind. */
export function paddedBy(text: GoString, missing: number, { minus, zero }: PrintFlags): GoString {
  if (missing <= 0) return text;
  return minus ? text + ' '.repeat(missing) : (zero ? '0' : ' ').repeat(missing) + text;
}
