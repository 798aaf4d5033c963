/** Fields within a text that is YAML or JSON itself, as a ConfigMap holds it. */
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { KustomizeError } from '../errors.ts';
import { textOf, type YamlNode } from '../yaml/node.ts';
import { readYaml } from '../yaml/read.ts';
import { toJson } from '../yaml/to-json.ts';
import { nodeAt, nodesAt } from './path.ts';

/** What is to stand there, and what is made where a field is missing. */
interface Change {
  value: YamlNode;
  create: YamlNode['kind'] | undefined;
}

/** Sets the field where the path leads through a text; false where it leads through none. */
export function replaceInText(root: YamlNode, path: readonly string[], change: Change): boolean {
  for (let length = 1; length < path.length; length++) {
    const node = scalarAt(root, path.slice(0, length));
    if (node === undefined) continue;
    const text = replaced(node.text, path.slice(length), change);
    if (text === undefined) return false;
    node.text = text;
    return true;
  }
  return false;
}

function scalarAt(
  root: YamlNode,
  path: readonly string[],
): Extract<YamlNode, { kind: 'scalar' }> | undefined {
  try {
    const node = nodeAt(root, path);
    return node?.kind === 'scalar' ? node : undefined;
  } catch (error) {
    if (error instanceof KustomizeError) return undefined;
    throw error;
  }
}

/** Undefined where the text has no such field. */
function replaced(text: string, path: readonly string[], { value, create }: Change): string | undefined {
  try {
    const [node] = readYaml(text);
    if (node === undefined) return undefined;
    const fields = nodesAt(node, path, create);
    if (fields.length === 0) return undefined;
    for (const field of fields) {
      if (field.kind === 'scalar') field.text = textOf(value);
      else Object.assign(field, structuredClone(value));
    }
    return /^\s*[{[]/.test(text) ? asJson(node, text) : asYaml(node, text);
  } catch (error) {
    if (error instanceof KustomizeError) return undefined;
    throw error;
  }
}

/** With line breaks where there were some. */
function asJson(node: YamlNode, before: string): string {
  const value = sorted(toJson(node));
  return before.includes('\n') && before.includes('  ')
    ? JSON.stringify(value, undefined, 2)
    : JSON.stringify(value);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}

/** The text as it was but for what has changed: its order, its comments, its quotes. */
function asYaml(node: YamlNode, before: string): string {
  const document = parseDocument(before, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  document.contents = merged(document.contents, node, (value) =>
    document.createNode(value),
  ) as typeof document.contents;
  return document.toString({ lineWidth: 0, indentSeq: false, flowCollectionPadding: false }).trim();
}

type Make = (value: unknown) => unknown;

function merged(old: unknown, node: YamlNode, make: Make): unknown {
  if (node.kind === 'scalar' && isScalar(old)) {
    if (old.value !== node.text) old.value = node.text;
    return old;
  }
  if (node.kind === 'map' && isMap(old)) {
    for (const [key, value] of node.fields) old.set(key, merged(old.get(key, true), value, make));
    return old;
  }
  if (node.kind === 'list' && isSeq(old)) {
    for (const [index, item] of node.items.entries())
      old.set(index, merged(old.get(index, true), item, make));
    return old;
  }
  return make(toJson(node));
}
