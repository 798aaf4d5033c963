import type { GoString, GoValue } from '../../go-values/go-value.ts';
import { printAll } from '../../go-values/print.ts';
import { isPrintable, runeBytes, runesOf } from '../../go-values/runes.ts';

/** What `html`, `js` and `urlquery` escape: the values as `print` has them, but for what is not there. */
export const textOfAll = (values: readonly GoValue[]): GoString =>
  printAll(values.map((value) => value ?? '<no value>'));

const htmlEscapes = new Map([
  ['\0', runeBytes(0xfffd)],
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
]);

/** A text within HTML. */
export const escapeHtml = (text: GoString): GoString =>
  text.replace(/["'&<>\0]/g, (sign) => htmlEscapes.get(sign) ?? sign);

const jsEscapes = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['"', '\\"'],
]);

/** A text within a string of JavaScript. */
export function escapeJs(text: GoString): GoString {
  let escaped = '';
  let at = 0;
  for (const { code, size } of runesOf(text)) {
    const sign = text.slice(at, at + size);
    at += size;
    const isSpecial = code < 0x20 || '<>&='.includes(sign) || !(code < 0x80 || isPrintable(code));
    const digits = code.toString(16).toUpperCase().padStart(4, '0');
    escaped += jsEscapes.get(sign) ?? (isSpecial ? `\\u${digits}` : sign);
  }
  return escaped;
}

/** A text within the query of a URL. */
export const escapeQuery = (text: GoString): GoString =>
  text.replace(/[^A-Za-z0-9\-_.~]/g, (byte) =>
    byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
