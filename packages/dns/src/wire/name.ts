import { WireError } from './wire-error.ts';

/**
 * A domain name as text: labels with dots between them, none at the end, '' for the root; bytes are Latin-1 characters,
 * and a dot or backslash inside a label has a backslash before it.
 */
export type Name = string;

const nameBytesMax = 255;
const labelBytesMax = 63;
const pointerBits = 0xc0;

/** A name as it stood in a message. */
export interface ReadName {
  name: Name;
  /** Where the message goes on. */
  end: number;
  /** Whether some of it stood elsewhere in the message. */
  isCompressed: boolean;
}

/** Reads the name at `start`. Pointers lead backwards only, so that this ends. Throws `WireError`. */
export function readName(packet: Buffer, start: number): ReadName {
  const labels: string[] = [];
  let at = start;
  let end = -1;
  let earliest = start;
  let bytes = 1;
  for (;;) {
    const length = packet[at];
    if (length === undefined) throw new WireError('a name goes beyond the message');
    if (length === 0) break;
    if (length > labelBytesMax) {
      if ((length & pointerBits) !== pointerBits) throw new WireError('a label of an unknown kind');
      if (at + 1 >= packet.length) throw new WireError('a pointer goes beyond the message');
      if (end < 0) end = at + 2;
      at = packet.readUInt16BE(at) & 0x3fff;
      if (at >= earliest) throw new WireError('a pointer does not lead backwards');
      earliest = at;
      continue;
    }
    bytes += length + 1;
    if (bytes > nameBytesMax) throw new WireError(`a name is longer than ${nameBytesMax} bytes`);
    if (at + 1 + length > packet.length) throw new WireError('a label goes beyond the message');
    labels.push(labelText(packet.toString('latin1', at + 1, at + 1 + length)));
    at += 1 + length;
  }
  const isCompressed = end >= 0;
  return { name: labels.join('.'), end: isCompressed ? end : at + 1, isCompressed };
}

const special = /[.\\]/;

function labelText(label: string): string {
  return special.test(label) ? label.replace(/[.\\]/g, '\\$&') : label;
}

/** The labels of a name, as text with its backslashes. */
export function labelsOf(name: Name): string[] {
  if (name === '') return [];
  return name.includes('\\') ? (name.match(/(?:\\.|[^.\\])+/gs) ?? []) : name.split('.');
}

/** The bytes of a label's text. */
export function labelBytes(label: string): Buffer {
  return Buffer.from(label.includes('\\') ? label.replace(/\\(.)/gs, '$1') : label, 'latin1');
}

/** The name with A to Z in lower case, as names are compared (RFC 4343). */
export function foldCase(name: Name): Name {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The name that people write: without the dot at its end, in lower case; undefined for what is no name. */
export function nameFrom(text: string): Name | undefined {
  const name = foldCase(text.endsWith('.') ? text.slice(0, -1) : text);
  const labels = name.split('.');
  const isName = labels.every((label) => label.length > 0 && label.length <= labelBytesMax);
  return isName && name.length + 2 <= nameBytesMax && !/[\\\u0100-\uffff]/.test(name) ? name : undefined;
}

/** The labels that stand before `zone`, or undefined when the name is not at or below it. */
export function labelsBelow(labels: readonly string[], zone: readonly string[]): string[] | undefined {
  const count = labels.length - zone.length;
  if (count < 0 || zone.some((label, index) => labels[count + index] !== label)) return undefined;
  return labels.slice(0, count);
}
