/** YAML as kustomize changes it: texts with tags, so that `1.10` stays what was written until it is known what it becomes. */

import type { YamlTag } from '@wherry/kubeapi';

/** What a scalar is; empty where nothing says so and the text itself decides. */
export type Tag = '' | YamlTag;

export interface ScalarNode {
  kind: 'scalar';
  text: string;
  tag: Tag;
  /** Written in quotes or as a block, so that it is a text whatever it looks like. */
  isQuoted: boolean;
}

export interface MapNode {
  kind: 'map';
  fields: Map<string, YamlNode>;
}

export interface ListNode {
  kind: 'list';
  items: YamlNode[];
}

export type YamlNode = ScalarNode | MapNode | ListNode;

/** A scalar without a tag: what its text looks like, it becomes. */
export const scalar = (text: string): ScalarNode => ({ kind: 'scalar', text, tag: '', isQuoted: false });

export const text = (value: string): ScalarNode => ({
  kind: 'scalar',
  text: value,
  tag: '!!str',
  isQuoted: false,
});

export const map = (entries: Iterable<[string, YamlNode]> = []): MapNode => ({
  kind: 'map',
  fields: new Map(entries),
});

export const list = (items: YamlNode[] = []): ListNode => ({ kind: 'list', items });

export const isNull = (node: YamlNode | undefined): boolean =>
  node?.kind === 'scalar' && node.tag === '!!null';

/** Not there, or null. */
export const isMissing = (node: YamlNode | undefined): node is undefined =>
  node === undefined || isNull(node);

/** Not there, null, or without any content. */
export function isEmpty(node: YamlNode | undefined): boolean {
  if (isMissing(node)) return true;
  return node.kind === 'map' ? node.fields.size === 0 : node.kind === 'list' && node.items.length === 0;
}

/** What stands in a scalar; the empty text for maps, lists and nothing. */
export const textOf = (node: YamlNode | undefined): string => (node?.kind === 'scalar' ? node.text : '');

export const fieldOf = (node: YamlNode | undefined, name: string): YamlNode | undefined =>
  node?.kind === 'map' ? node.fields.get(name) : undefined;

/** The map at a path of plain field names; made where it is missing. */
export function mapAt(node: MapNode, ...path: string[]): MapNode {
  let place = node;
  for (const name of path) {
    const next = place.fields.get(name);
    const held = next?.kind === 'map' ? next : map();
    if (held !== next) place.fields.set(name, held);
    place = held;
  }
  return place;
}

/** The node at a path of plain field names. */
export const at = (node: YamlNode | undefined, ...path: string[]): YamlNode | undefined =>
  path.reduce<YamlNode | undefined>(fieldOf, node);

export function copyNode<T extends YamlNode>(node: T): T;
export function copyNode(node: YamlNode): YamlNode {
  if (node.kind === 'scalar') return { ...node };
  if (node.kind === 'list') return list(node.items.map((item) => copyNode(item)));
  return map([...node.fields].map(([key, value]) => [key, copyNode(value)]));
}

/** How many nodes one is, with all that is in it. */
export function countNodes(node: YamlNode): number {
  if (node.kind === 'scalar') return 1;
  let count = 1;
  for (const part of node.kind === 'list' ? node.items : node.fields.values()) count += countNodes(part);
  return count;
}

/** Makes a node into another one, where it stands. */
export function become(node: YamlNode, other: YamlNode): void {
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key);
  Object.assign(node, other);
}
