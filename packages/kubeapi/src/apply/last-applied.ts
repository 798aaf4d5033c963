/** What `kubectl apply` of the client's side kept of its configuration, in an annotation (upstream: lastAppliedManager). */
import { exactJson, parseExactJson } from '../json/exact-json.ts';
import { checkDepth } from '../json/json-scan.ts';
import { isJsonObject, type JsonObject, ownValue } from '../json/json-value.ts';
import { compare } from './compare.ts';
import type { Node } from './node.ts';
import { PathSet } from './path-set.ts';
import { fieldSetOf } from './walk.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Only it knows what the annotation is for. */
const kubectl = 'kubectl';

/**
 * The fields that the annotation says and that nobody has changed since: `kubectl apply --server-side` may take them from
 * whoever has them. Empty for other managers, and where there is no annotation of that version.
 */
export function takenOver(
  live: JsonObject,
  { name, apiVersion }: { name: string; apiVersion: string },
  node: Node,
): PathSet {
  const text = name === kubectl ? textIn(live) : undefined;
  const config = text === undefined ? undefined : parsed(text);
  if (!config || config['apiVersion'] !== apiVersion) return new PathSet();
  const { removed, modified, added } = compare(config, live, node);
  return fieldSetOf(config, node).difference(modified).difference(added).difference(removed);
}

/** The object with the configuration in the annotation, where it had one: kubectl of the client's side goes on from it. */
export function withLastApplied(object: JsonObject, config: JsonObject, name: string): JsonObject {
  if (name !== kubectl || textIn(object) === undefined) return object;
  const metadata = object['metadata'] as JsonObject;
  const annotations = metadata['annotations'] as JsonObject;
  const text = `${exactJson(withoutAnnotation(config))}\n`;
  return { ...object, metadata: { ...metadata, annotations: { ...annotations, [annotation]: text } } };
}

function textIn({ metadata }: JsonObject): string | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const text = isJsonObject(annotations) ? ownValue(annotations, annotation) : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    checkDepth(text);
    const value: unknown = parseExactJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { metadata } = config;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return config;
  const { [annotation]: _own, ...annotations } = metadata['annotations'];
  return { ...config, metadata: { ...metadata, annotations } };
}
