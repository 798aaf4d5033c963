/** Words that YAML 1.1 or Go take for nothing, for yes or for no. */
const words = new Set(['null', 'true', 'false', 'y', 'yes', 'on', 'n', 'no', 'off']);
const singleLetters = new Set(['t', 'T', 'f', 'F']);
const infinite = new Set(['inf', 'infinity', 'nan']);

/** True for a key that another reader might take for anything but a string without its quotes. */
export function needsQuotes(key: string): boolean {
  if (!/^[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?$/u.test(key)) return true;
  const lower = key.toLowerCase();
  if (words.has(lower) || singleLetters.has(key)) return true;
  const bare = key.replaceAll('_', '');
  return (
    infinite.has(bare.toLowerCase()) || isInteger(bare) || isDecimal(bare) || isHexFloat(bare) || isDate(key)
  );
}

const integerMax = 2n ** 63n - 1n;

/** An integer of 64 bits in base 2, 8, 10 or 16. */
function isInteger(text: string): boolean {
  const octal = /^0([0-7]+)$/.exec(text)?.[1];
  const written = octal === undefined ? text : `0o${octal}`;
  return /^(\d+|0b[01]+|0o[0-7]+|0x[\da-f]+)$/i.test(written) && BigInt(written.toLowerCase()) <= integerMax;
}

/** A number that 64 bits can hold, `1.5e3`. */
const isDecimal = (text: string): boolean =>
  /^\d+(\.\d*)?(e[-+]?\d+)?$/i.test(text) && Number.isFinite(Number(text));

/** As Go writes them, `0x1.8p1`. */
function isHexFloat(text: string): boolean {
  const [, whole, fraction = '', power] = /^0x([\da-f]*)(?:\.([\da-f]*))?p([-+]?\d+)$/i.exec(text) ?? [];
  if (whole === undefined || power === undefined || whole + fraction === '') return false;
  const digits = Number(BigInt(`0x${whole}${fraction}`));
  return Number.isFinite(digits * 2 ** (Number(power) - 4 * fraction.length));
}

/** A day that there is, `2026-1-31`. */
function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
