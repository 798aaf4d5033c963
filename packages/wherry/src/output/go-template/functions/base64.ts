import type { GoString } from '../../go-values/go-value.ts';

/** kubectl's `base64decode`; lines may end inside. Throws `SyntaxError` with Go's words, which say where it goes wrong. */
export function base64Decode(text: GoString): GoString {
  const wrongAt = wrongByte(text);
  if (wrongAt !== undefined)
    throw new SyntaxError(`base64 decode failed: illegal base64 data at input byte ${wrongAt}`);
  return Buffer.from(text, 'base64').toString('latin1');
}

/** Where Go's decoder of padded base64 stops; undefined where it comes to the end. */
function wrongByte(text: GoString): number | undefined {
  let inQuantum = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n' || sign === '\r') continue;
    if (sign === '=') return inQuantum < 2 ? at : wrongPadding(text, at, inQuantum);
    if (!/[A-Za-z0-9+/]/.test(sign)) return at;
    inQuantum = (inQuantum + 1) % 4;
  }
  return inQuantum === 0 ? undefined : text.length - inQuantum;
}

function wrongPadding(text: GoString, first: number, inQuantum: number): number | undefined {
  let at = behindLines(text, first + 1);
  if (inQuantum === 2) {
    if (at === text.length) return at;
    if (text.charAt(at) !== '=') return at - 1;
    at = behindLines(text, at + 1);
  }
  return at < text.length ? at : undefined;
}

function behindLines(text: GoString, from: number): number {
  let at = from;
  while (at < text.length && '\r\n'.includes(text.charAt(at))) at += 1;
  return at;
}
