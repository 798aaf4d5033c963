/** What YAML nodes say, as JSON, and back. */
import {
  exactWhole,
  isJsonObject,
  isWhole,
  type JsonObject,
  type JsonValue,
  type PlainScalar,
  readPlainScalar,
  setOwn,
} from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';
import { list, type MapNode, map, type ScalarNode, type YamlNode } from './node.ts';

/** What a scalar is in the end. Throws KustomizeError where its tag and its text do not fit. */
export function scalarValue({ text, tag, isQuoted }: ScalarNode): PlainScalar {
  if (tag === '!!str' || (tag === '' && isQuoted)) return { tag: '!!str', value: text };
  if (tag === '!!binary') return { tag: '!!str', value: binaryText(text) };
  const resolved = readPlainScalar(text);
  if (typeof resolved.value === 'number' && !Number.isFinite(resolved.value))
    throw new KustomizeError(`${text.slice(0, 100)} has no form in JSON`);
  if (tag === '' || tag === resolved.tag) return resolved;
  if (tag === '!!float' && resolved.tag === '!!int') return { tag, value: Number(resolved.value) };
  throw new KustomizeError(`cannot decode ${resolved.tag} \`${text}\` as a ${tag}`);
}

function binaryText(encoded: string): string {
  const packed = encoded.replaceAll(/\s/g, '');
  if (packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed))
    return Buffer.from(packed, 'base64').toString();
  throw new KustomizeError('!!binary value contains invalid base64 data');
}

export function toJson(node: MapNode): JsonObject;
export function toJson(node: YamlNode): JsonValue;
export function toJson(node: YamlNode): JsonValue {
  if (node.kind === 'list') return node.items.map((item) => toJson(item));
  if (node.kind === 'scalar') {
    const { value } = scalarValue(node);
    return typeof value === 'bigint' ? exactWhole(value) : value;
  }
  const object: JsonObject = {};
  for (const [key, value] of node.fields) setOwn(object, key, toJson(value));
  return object;
}

export function fromJson(value: JsonObject): MapNode;
export function fromJson(value: JsonValue): YamlNode;
export function fromJson(value: JsonValue): YamlNode {
  if (Array.isArray(value)) return list(value.map((item) => fromJson(item)));
  if (isJsonObject(value)) return map(Object.entries(value).map(([key, part]) => [key, fromJson(part)]));
  if (typeof value === 'string') return { kind: 'scalar', text: value, tag: '!!str', isQuoted: true };
  if (value === null) return { kind: 'scalar', text: 'null', tag: '!!null', isQuoted: false };
  if (typeof value === 'boolean')
    return { kind: 'scalar', text: String(value), tag: '!!bool', isQuoted: false };
  const tag = isWhole(value) ? '!!int' : '!!float';
  return { kind: 'scalar', text: numberText(value), tag, isQuoted: false };
}

const numberText = (value: number | bigint): string =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21
    ? BigInt(value).toString()
    : String(value);
