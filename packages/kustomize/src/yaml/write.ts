/** YAML nodes as text. */
import { setOwn, writeYaml, type YamlValue } from '@wherry/kubeapi';
import type { YamlNode } from './node.ts';
import { scalarValue } from './to-json.ts';

/** One document as `sigs.k8s.io/yaml` writes it, with a line break at its end. */
export const writeNode = (node: YamlNode): string => writeYaml(plainOf(node));

function plainOf(node: YamlNode): YamlValue {
  if (node.kind === 'list') return node.items.map(plainOf);
  if (node.kind === 'scalar') return scalarValue(node).value;
  const map: Record<string, YamlValue> = {};
  for (const [key, part] of node.fields) setOwn(map, key, plainOf(part));
  return map;
}
