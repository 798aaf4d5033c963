/** Escapes in literals of texts and bytes (the CEL specification, "String and Bytes Values"). */

const escaped =
  /\\(?:([abfnrtv\\?"'`])|x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/g;
const characters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
    ...{ '\\': '\\', '?': '?', '"': '"', "'": "'", '`': '`' },
  }),
);
const codePointMax = 0x10ffff;

/** What a literal of a text says. Throws an Error on escapes that are none. */
export function textLiteral(content: string, isRaw: boolean): string {
  const normal = content.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  if (isRaw) return normal;
  return normal.replace(escaped, (_all, plain, x, largeX, u, largeU, octal, wrong) => {
    if (plain !== undefined) return characters.get(plain)!;
    if (wrong !== undefined) throw new Error(`unable to unescape string`);
    return pointText(Number.parseInt(octal ?? x ?? largeX ?? u ?? largeU, octal === undefined ? 16 : 8));
  });
}

/** What a literal of bytes says. */
export function bytesLiteral(content: string, isRaw: boolean): Uint8Array {
  const normal = content.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const encoder = new TextEncoder();
  if (isRaw) return encoder.encode(normal);
  const parts: Uint8Array[] = [];
  let last = 0;
  for (const found of normal.matchAll(escaped)) {
    const [all, plain, x, largeX, u, largeU, octal] = found;
    parts.push(encoder.encode(normal.slice(last, found.index)));
    last = found.index + all.length;
    if (plain !== undefined) parts.push(encoder.encode(characters.get(plain)!));
    else if (u !== undefined || largeU !== undefined) throw new Error('unable to unescape string');
    else if (octal !== undefined) parts.push(Uint8Array.of(Number.parseInt(octal, 8)));
    else if (x !== undefined || largeX !== undefined)
      parts.push(Uint8Array.of(Number.parseInt((x ?? largeX)!, 16)));
    else throw new Error('unable to unescape string');
  }
  parts.push(encoder.encode(normal.slice(last)));
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function pointText(point: number): string {
  if (point > codePointMax || (point >= 0xd800 && point < 0xe000))
    throw new Error('unable to unescape string');
  return String.fromCodePoint(point);
}
