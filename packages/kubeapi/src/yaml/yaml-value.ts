/** A composed YAML document as JSON. What its aliases add is bounded, however they are nested. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type Pair,
  Scalar,
  type YAMLMap,
} from 'yaml';
import { JsonSyntaxError } from '../json/json-scan.ts';
import { type JsonObject, type JsonValue, setOwn } from '../json/json-value.ts';
import { fieldComplaintsMax, nestingDepthMax, yamlExpansionMax } from '../limits.ts';

/** A document's value, and what Go's library says of doubled keys. */
export interface Converted {
  value: JsonValue;
  duplicates: string[];
}

/** Converts one document. Throws JsonSyntaxError. */
export class YamlConverter {
  readonly #lines: LineCounter;
  readonly #duplicates: string[] = [];
  /** The anchors so far: a later one of the same name takes over. */
  readonly #anchors = new Map<string, Node>();
  /** Nodes that are being converted by way of an alias. */
  readonly #expanding = new Set<Node>();
  #expansionLeft: number = yamlExpansionMax;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  /** Nothing reads as null. */
  convert(contents: unknown): Converted {
    return { value: this.#value(contents, 0), duplicates: this.#duplicates };
  }

  #value(node: unknown, depth: number): JsonValue {
    if (depth > nestingDepthMax) throw new JsonSyntaxError('yaml: exceeded max depth');
    if (isAlias(node)) return this.#expand(node.source, (target) => this.#value(target, depth));
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
    if (node.anchor) this.#anchors.set(node.anchor, node);
    this.#charge(1);
    if (isScalar(node)) return this.#scalar(node.value);
    if (isSeq(node)) return node.items.map((item) => this.#value(item, depth + 1));
    if (this.#expanding.size === 0) this.#noteDuplicates(node);
    return this.#map(node, depth);
  }

  /** Merged keys (`<<`) stand behind the map's own, the first map before the later ones. */
  #map(node: YAMLMap, depth: number): JsonObject {
    const own: [string, JsonValue][] = [];
    const merged: [string, JsonValue][] = [];
    for (const pair of node.items) {
      if (isMerge(pair)) merged.push(...this.#merged(pair.value, depth));
      else own.push([this.#key(pair.key), this.#value(pair.value, depth + 1)]);
    }
    const result: JsonObject = {};
    for (const [key, value] of merged) if (!Object.hasOwn(result, key)) setOwn(result, key, value);
    for (const [key, value] of own) setOwn(result, key, value);
    return result;
  }

  #merged(source: unknown, depth: number): [string, JsonValue][] {
    if (depth > nestingDepthMax) throw new JsonSyntaxError('yaml: exceeded max depth');
    if (isAlias(source)) return this.#expand(source.source, (target) => this.#merged(target, depth + 1));
    if (isMap(source)) return Object.entries(this.#value(source, depth) as JsonObject);
    if (isSeq(source)) return source.items.flatMap((item) => this.#merged(item, depth + 1));
    throw new JsonSyntaxError('yaml: map merge requires map or sequence of maps as the value');
  }

  /** Runs `read` on what an alias stands for. */
  #expand<T>(name: string, read: (target: Node) => T): T {
    const target = this.#anchors.get(name);
    if (!target) throw new JsonSyntaxError(`yaml: unknown anchor '${name}' referenced`);
    if (this.#expanding.has(target))
      throw new JsonSyntaxError(`yaml: anchor '${name}' value contains itself`);
    this.#expanding.add(target);
    try {
      return read(target);
    } finally {
      this.#expanding.delete(target);
    }
  }

  /** YAML knows more than JSON: infinities become texts, anything else is refused. */
  #scalar(value: unknown): string | number | bigint | boolean | null {
    if (value === null || value === undefined) return null;
    if (typeof value === 'string') this.#charge(value.length);
    if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'symbol') return value.description ?? '';
    throw new JsonSyntaxError(`yaml: ${typeof value} has no JSON form`);
  }

  /** Numbers and the like become texts. */
  #key(key: unknown): string {
    if (isAlias(key)) return this.#expand(key.source, (target) => this.#key(target));
    if (!isScalar(key)) throw new JsonSyntaxError('yaml: a key must be a scalar');
    if (key.anchor) this.#anchors.set(key.anchor, key);
    return String(this.#scalar(key.value) ?? 'null');
  }

  #charge(amount: number): void {
    if (this.#expanding.size === 0) return;
    this.#expansionLeft -= amount;
    if (this.#expansionLeft < 0) throw new JsonSyntaxError('yaml: document contains excessive aliasing');
  }

  #noteDuplicates({ items }: YAMLMap): void {
    const seen = new Set<unknown>();
    for (const { key } of items) {
      if (!isScalar(key)) continue;
      const isRepeated = seen.has(key.value) && this.#duplicates.length < fieldComplaintsMax;
      seen.add(key.value);
      if (!isRepeated) continue;
      const { line } = this.#lines.linePos(key.range?.[0] ?? 0);
      this.#duplicates.push(`line ${line}: key ${JSON.stringify(key.value)} already set in map`);
    }
  }
}

function isMerge({ key }: Pair): boolean {
  if (!isScalar(key)) return false;
  const { value } = key;
  return typeof value === 'symbol' ? value.description === '<<' : value === '<<' && key.type === Scalar.PLAIN;
}
