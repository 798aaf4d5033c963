import type { HttpAnswer } from './door.ts';

const value = /\b299 \S+ "((?:[^"\\]|\\.)*)"/gs;
const utf8 = new TextDecoder();

/** What a server has to say beside its answer: the texts of its Warning headers (RFC 7234, code 299), empty ones left out. */
export function warningsOf({ header }: Pick<HttpAnswer, 'header'>): string[] {
  const field = header('warning');
  if (field === undefined) return [];
  const texts = [...field.matchAll(value)].map(([, quoted = '']) =>
    bytesAsUtf8(quoted.replace(/\\(.)/gs, '$1')),
  );
  return texts.filter((text) => text !== '');
}

/** Header fields come as Latin-1, whatever they hold. */
function bytesAsUtf8(text: string): string {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  return codes.some((code) => code > 0xff) ? text : utf8.decode(Uint8Array.from(codes));
}
