/**
 * What flags come to in the document of a configuration, each by the type of its value: spf13/pflag,
 * k8s.io/component-base/cli/flag, pkg/util/flag. A flag that is given again adds to lists and maps, and stands instead of
 * anything else.
 */
import { isIP } from 'node:net';
import { type JsonObject, type JsonValue, ownValue, setOwn } from '@wherry/kubeapi';

/** A value that its flag can't have; the message says what it can. */
export class FlagValueError extends Error {
  constructor(text: string, wanted: string) {
    super(`"${text}" is not ${wanted}`);
    this.name = 'FlagValueError';
  }
}

/** `texts` are the flag's values in the order that they were given in, one at least. Throws {@link FlagValueError}. */
export function flagValue(type: string, texts: readonly string[]): JsonValue {
  const read = ownValue(readers, type);
  if (!read) throw new TypeError(`flags of the type ${type} are not known`);
  return read(texts);
}

type Reader = (texts: readonly string[]) => JsonValue;

const last = (texts: readonly string[]) => texts.at(-1) ?? '';
const parts = (texts: readonly string[], separator = ',') =>
  texts.flatMap((text) => text.split(separator)).filter((part) => part !== '');

const readers: Readonly<Record<string, Reader>> = {
  Bool: (texts) => truth(last(texts)),
  Duration: last,
  Int32: (texts) => whole(last(texts)),
  Int64: (texts) => whole(last(texts)),
  IPVar: (texts) => address(last(texts)),
  String: last,
  StringSlice: (texts) => parts(texts),
  MapStringBool: (texts) => map(parts(texts), '=', truth),
  MapStringString: (texts) => map(parts(texts), '='),
  MapStringStringNoSplit: (texts) => map(texts, '='),
  LangleSeparatedMapStringString: (texts) => map(parts(texts), '<'),
  ColonSeparatedMultimapStringString: (texts) => multimap(parts(texts)),
  RegisterWithTaintsVar: (texts) => parts(texts).map(taint),
  ReservedMemoryVar: (texts) => parts(texts, ';').map(reservation),
};

const truths: Readonly<Record<string, boolean>> = {
  ...{ 1: true, t: true, T: true, true: true, TRUE: true, True: true },
  ...{ 0: false, f: false, F: false, false: false, FALSE: false, False: false },
};

function truth(text: string): boolean {
  const value = ownValue(truths, text);
  if (value === undefined) throw new FlagValueError(text, 'true or false');
  return value;
}

function whole(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new FlagValueError(text, 'a whole number');
  return Number(text);
}

function address(text: string): string {
  if (text !== '' && isIP(text) === 0) throw new FlagValueError(text, 'an IP address');
  return text;
}

function pairOf(text: string, separator: string): [key: string, value: string] {
  const at = text.indexOf(separator);
  if (at < 0) throw new FlagValueError(text, `KEY${separator}VALUE`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function map(
  pairs: readonly string[],
  separator: string,
  read: (text: string) => JsonValue = (text) => text,
): JsonObject {
  const found: JsonObject = {};
  for (const text of pairs) {
    const [key, value] = pairOf(text, separator);
    setOwn(found, key, read(value));
  }
  return found;
}

function multimap(pairs: readonly string[]): JsonObject {
  const found: Record<string, JsonValue[]> = {};
  for (const text of pairs) {
    const [key, value] = pairOf(text, ':');
    setOwn(found, key, [...(ownValue(found, key) ?? []), value]);
  }
  return found;
}

function taint(text: string): JsonObject {
  const [, key, value, effect] = /^([^=:]+)(?:=([^=:]*))?:([^=:]+)$/.exec(text) ?? [];
  if (key === undefined || effect === undefined)
    throw new FlagValueError(text, 'KEY=VALUE:EFFECT or KEY:EFFECT');
  return { key, effect, ...(value && { value }) };
}

function reservation(text: string): JsonObject {
  const [, node, limits] = /^(\d+):([^:]+)$/.exec(text) ?? [];
  if (node === undefined || limits === undefined)
    throw new FlagValueError(text, 'NODE:TYPE=QUANTITY[,TYPE=QUANTITY]');
  return { numaNode: Number(node), limits: map(limits.split(','), '=') };
}
