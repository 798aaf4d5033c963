/** Files of YAML documents as nodes: anchors and merged keys resolved, scalars as they were written. */

import { readPlainScalar } from '@wherry/kubeapi';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  Scalar,
  type YAMLMap,
} from 'yaml';
import { MalformedYamlError } from '../errors.ts';
import { limits } from '../limits.ts';
import { list, type MapNode, map, type ScalarNode, type Tag, type YamlNode } from './node.ts';

/** The documents of a text; those without content are left out. Of a key that is there twice the last counts unless `uniqueKeys`. Throws MalformedYamlError. */
export function readYaml(text: string, { uniqueKeys = false } = {}): YamlNode[] {
  return splitDocuments(text.replaceAll('\r\n', '\n')).flatMap((document) => {
    const lines = new LineCounter();
    const options = { schema: 'failsafe', uniqueKeys, logLevel: 'silent', lineCounter: lines } as const;
    // Of several documents that no line of dashes parts, the first counts.
    const [parsed] = parseAllDocuments(document, options) as Exclude<
      ReturnType<typeof parseAllDocuments>,
      { empty: true }
    >;
    const [error] = parsed?.errors ?? [];
    if (error) {
      const [said = ''] = error.message.split(/ at line |:?\n/);
      throw new MalformedYamlError(
        `MalformedYAMLError: yaml: line ${lines.linePos(error.pos[0]).line}: ${said}`,
      );
    }
    if (!parsed?.contents) return [];
    const node = new NodeReader().read(parsed.contents as Node);
    return node.kind === 'scalar' && node.tag === '!!null' ? [] : [node];
  });
}

/** What stands between lines that begin with three dashes. */
function splitDocuments(text: string): string[] {
  const documents: string[] = [];
  let start = 0;
  for (const separator of text.matchAll(/\n---(.*)\n/g)) {
    const behind = separator[1]?.trim() ?? '';
    if (behind !== '' && !behind.startsWith('#'))
      throw new MalformedYamlError(`invalid document separator: ${separator[0].trim()}`);
    documents.push(`${text.slice(start, separator.index)}\n`);
    start = separator.index + separator[0].length;
  }
  return [...documents, text.slice(start)];
}

const shortTags: ReadonlySet<string> = new Set([
  ...['!!str', '!!int', '!!float', '!!bool', '!!null', '!!timestamp', '!!binary'],
]);

class NodeReader {
  readonly #anchors = new Map<string, Node>();
  readonly #expanding = new Set<Node>();
  #expansionLeft: number = limits.expansionMax;

  read(node: Node | null | undefined, depth = 0): YamlNode {
    if (depth > limits.depthMax) throw new MalformedYamlError('yaml: exceeded max depth');
    if (this.#expanding.size > 0 && --this.#expansionLeft < 0)
      throw new MalformedYamlError('yaml: document contains excessive aliasing');
    if (isAlias(node)) return this.#expand(node.source, (target) => this.read(target, depth));
    if (node && 'anchor' in node && node.anchor) this.#anchors.set(node.anchor, node);
    if (isSeq(node)) return list(node.items.map((item) => this.read(item as Node, depth + 1)));
    if (isMap(node)) return this.#map(node, depth);
    return isScalar(node) ? scalarOf(node) : { kind: 'scalar', text: '', tag: '!!null', isQuoted: false };
  }

  #expand<T>(name: string, read: (target: Node) => T): T {
    const target = this.#anchors.get(name);
    if (!target) throw new MalformedYamlError(`yaml: unknown anchor '${name}' referenced`);
    if (this.#expanding.has(target))
      throw new MalformedYamlError(`yaml: anchor '${name}' value contains itself`);
    this.#expanding.add(target);
    try {
      return read(target);
    } finally {
      this.#expanding.delete(target);
    }
  }

  /** A map's own fields go before those that it merges, and earlier merged maps before later ones. */
  #map(node: YAMLMap, depth: number): MapNode {
    const own = map();
    const merged: MapNode[] = [];
    for (const { key, value } of node.items) {
      if (isScalar(key) && key.type === Scalar.PLAIN && key.value === '<<')
        merged.push(...this.#merged(value as Node, depth + 1));
      else own.fields.set(this.#key(key as Node), this.read(value as Node, depth + 1));
    }
    for (const { fields } of merged) {
      for (const [key, value] of fields) if (!own.fields.has(key)) own.fields.set(key, value);
    }
    return own;
  }

  #merged(node: Node, depth: number): MapNode[] {
    if (isSeq(node)) return node.items.flatMap((item) => this.#merged(item as Node, depth + 1));
    const value = this.read(node, depth);
    if (value.kind === 'map') return [value];
    throw new MalformedYamlError('map merge requires map or sequence of maps as the value');
  }

  #key(key: Node): string {
    const node = this.read(key);
    if (node.kind === 'scalar') return node.text;
    throw new MalformedYamlError('yaml: a key must be a scalar');
  }
}

function scalarOf(node: Scalar): ScalarNode {
  const isQuoted = node.type !== undefined && node.type !== Scalar.PLAIN;
  const text = typeof node.value === 'string' ? node.value : (node.source ?? '');
  const tag = node.tag?.replace('tag:yaml.org,2002:', '!!');
  if (tag !== undefined && shortTags.has(tag)) return { kind: 'scalar', text, tag: tag as Tag, isQuoted };
  return { kind: 'scalar', text, tag: isQuoted ? '!!str' : readPlainScalar(text).tag, isQuoted };
}
