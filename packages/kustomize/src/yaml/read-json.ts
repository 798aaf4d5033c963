/** Files of configuration: YAML 1.1 as JSON. */
import { isYesOrNo, type JsonValue } from '@wherry/kubeapi';
import { list, map, text, type YamlNode } from './node.ts';
import { readYaml } from './read.ts';
import { toJson } from './to-json.ts';

/** The first document of YAML, as JSON; `yes` and the like are booleans, as in YAML 1.1. Throws KustomizeError for what is none. */
export function readJsonLike(content: string): JsonValue {
  const [document] = readYaml(content);
  return document === undefined ? null : toJson(asYaml11(document));
}

function asYaml11(node: YamlNode): YamlNode {
  if (node.kind === 'list') return list(node.items.map(asYaml11));
  if (node.kind === 'map') return map([...node.fields].map(([key, value]) => [key, asYaml11(value)]));
  if (node.tag === '!!timestamp') return text(node.text);
  const isTrue = isYesOrNo(node.text);
  const isPlain = !node.isQuoted && node.tag === '!!str';
  return isPlain && isTrue !== undefined ? { ...node, text: String(isTrue), tag: '!!bool' } : node;
}
