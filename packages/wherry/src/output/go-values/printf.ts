import { GoInt, type GoString, type GoValue, goType } from './go-value.ts';
import { printValue } from './print.ts';
import { noFlags, type PrintFlags } from './print-flags.ts';
import { runeAt } from './runes.ts';

/** Widths and precisions above are no numbers to `fmt`; of those in the format, one digit more may be. */
const greatestSize = 1_000_000;

/** As Go's `fmt.Sprintf`, with its words inside of the text for what does not fit. */
export function printFormat(format: GoString, values: readonly GoValue[]): GoString {
  return new Format(format, values).text();
}

/** Reads a format from left to right. */
class Format {
  readonly #format: GoString;
  readonly #values: readonly GoValue[];
  #at = 0;
  /** Which value is next. */
  #next = 0;
  /** True after `[n]` that no number followed. */
  #isChosen = false;
  /** False where `[n]` names no value. */
  #isGood = true;
  /** True where values were chosen by number, so that some may be left. */
  #isReordered = false;

  constructor(format: GoString, values: readonly GoValue[]) {
    this.#format = format;
    this.#values = values;
  }

  text(): GoString {
    const parts: GoString[] = [];
    while (this.#at < this.#format.length) {
      const found = this.#format.indexOf('%', this.#at);
      const end = found === -1 ? this.#format.length : found;
      parts.push(this.#format.slice(this.#at, end));
      this.#at = end + 1;
      if (found !== -1) parts.push(this.#readVerb());
    }
    return parts.join('') + this.#left();
  }

  #readVerb(): GoString {
    this.#isGood = true;
    this.#isChosen = false;
    const flags = this.#readFlags();
    this.#readIndex();
    const problems = this.#readWidth(flags) + this.#readPrecision(flags);
    if (!this.#isChosen) this.#readIndex();
    if (this.#at >= this.#format.length) return `${problems}%!(NOVERB)`;
    const { size } = runeAt(this.#format, this.#at);
    const verb = this.#format.slice(this.#at, this.#at + size);
    this.#at += size;
    return problems + this.#print(verb, flags);
  }

  #print(verb: string, flags: PrintFlags): GoString {
    if (verb === '%') return '%';
    if (!this.#isGood) return `%!${verb}(BADINDEX)`;
    const value = this.#values[this.#next];
    if (value === undefined) return `%!${verb}(MISSING)`;
    this.#next += 1;
    const isSource = verb === 'v' && flags.sharp;
    const shown = verb === 'v' ? { ...flags, isSource, sharp: false, plus: false } : flags;
    return printValue(value, verb, shown);
  }

  #readFlags(): PrintFlags {
    const flags = noFlags();
    for (; this.#at < this.#format.length; this.#at += 1) {
      const sign = this.#format.charAt(this.#at);
      if (sign === '#') flags.sharp = true;
      else if (sign === '0') flags.zero = true;
      else if (sign === '+') flags.plus = true;
      else if (sign === '-') flags.minus = true;
      else if (sign === ' ') flags.space = true;
      else break;
    }
    return flags;
  }

  #readWidth(flags: PrintFlags): GoString {
    if (this.#takes('*')) {
      const width = this.#sizeOfValue();
      this.#isChosen = false;
      if (width === undefined) return '%!(BADWIDTH)';
      flags.width = Math.abs(width);
      if (width < 0) {
        flags.minus = true;
        flags.zero = false;
      }
      return '';
    }
    flags.width = this.#readNumber();
    if (this.#isChosen && flags.width !== undefined) this.#isGood = false;
    return '';
  }

  #readPrecision(flags: PrintFlags): GoString {
    if (!this.#takes('.')) return '';
    if (this.#isChosen) this.#isGood = false;
    this.#readIndex();
    if (this.#takes('*')) {
      const precision = this.#sizeOfValue();
      this.#isChosen = false;
      if (precision === undefined || precision < 0) return '%!(BADPREC)';
      flags.precision = precision;
      return '';
    }
    flags.precision = this.#readNumber() ?? 0;
    return '';
  }

  /** `[n]`: which value is next. */
  #readIndex(): void {
    if (this.#format.charAt(this.#at) !== '[') {
      this.#isChosen = false;
      return;
    }
    this.#isReordered = true;
    const end = this.#format.indexOf(']', this.#at + 1);
    const isShort = this.#format.length - this.#at < 3;
    const inside = end === -1 || isShort ? '' : this.#format.slice(this.#at + 1, end);
    const index = /^\d{1,7}$/.test(inside) ? Number(inside) - 1 : undefined;
    this.#at = end === -1 || isShort ? this.#at + 1 : end + 1;
    this.#isChosen = index !== undefined;
    if (index !== undefined && index >= 0 && index < this.#values.length) this.#next = index;
    else this.#isGood = false;
  }

  /** The next value as a width or a precision. */
  #sizeOfValue(): number | undefined {
    const value = this.#values[this.#next];
    if (value === undefined) return undefined;
    this.#next += 1;
    const size = value instanceof GoInt ? Number(value.value) : undefined;
    return size !== undefined && Math.abs(size) <= greatestSize ? size : undefined;
  }

  #readNumber(): number | undefined {
    let end = this.#at;
    while (/[0-9]/.test(this.#format.charAt(end))) end += 1;
    if (end === this.#at) return undefined;
    const digits = this.#format.slice(this.#at, end);
    const isTooGreat = Number(digits.slice(0, -1)) > greatestSize;
    this.#at = isTooGreat ? this.#format.length : end;
    return isTooGreat ? undefined : Number(digits);
  }

  #takes(sign: string): boolean {
    const isHere = this.#format.charAt(this.#at) === sign;
    if (isHere) this.#at += 1;
    return isHere;
  }

  /** What `fmt` says of values that the format has no verb for. */
  #left(): GoString {
    const left = this.#isReordered ? [] : this.#values.slice(this.#next);
    if (left.length === 0) return '';
    const shown = left.map((value) =>
      value === null ? '<nil>' : `${goType(value)}=${printValue(value, 'v', noFlags())}`,
    );
    return `%!(EXTRA ${shown.join(', ')})`;
  }
}
