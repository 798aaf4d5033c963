/** Objects of a text of YAML documents; lists are taken apart. */
import { KustomizeError, MalformedYamlError } from '../errors.ts';
import { at, isEmpty, type MapNode, textOf, type YamlNode } from '../yaml/node.ts';
import { readYaml } from '../yaml/read.ts';
import { toJson } from '../yaml/to-json.ts';
import { Resource } from './resource.ts';

/** Throws KustomizeError for what is no object: `path` is told of when it is no YAML. */
export function readResources(text: string, path?: string): Resource[] {
  return objectsOf(text, path).map((node) => new Resource(node));
}

function objectsOf(text: string, path: string | undefined): MapNode[] {
  try {
    const documents = readYaml(text, { uniqueKeys: true });
    const [only] = documents;
    const unwrapped =
      documents.length === 1 && only && isWrapping(only) ? (listItems(only) ?? []) : documents;
    // What lists hold comes behind everything else.
    const objects: MapNode[] = [];
    const queue = unwrapped.flatMap(checked);
    for (let node = queue.shift(); node; node = queue.shift()) {
      const items = kindOf(node).endsWith('List') ? node.fields.get('items') : undefined;
      if (items === undefined) objects.push(node);
      else if (items.kind === 'list') queue.push(...items.items.flatMap(checked));
      else if (!isEmpty(items) || items.kind === 'map')
        throw new KustomizeError(`expected array in ${kindOf(node)}/items`);
    }
    return objects;
  } catch (error) {
    if (!(error instanceof MalformedYamlError) || path === undefined) throw error;
    throw new MalformedYamlError(`${error.message} in File: ${path}`, { cause: error });
  }
}

const kindOf = (node: YamlNode): string => textOf(at(node, 'kind'));

const isWrapping = (node: YamlNode): boolean =>
  ['List', 'ResourceList'].includes(kindOf(node)) &&
  (at(node, 'items') !== undefined || at(node, 'functionConfig') !== undefined);

function listItems(node: YamlNode): YamlNode[] | undefined {
  const items = at(node, 'items');
  return items?.kind === 'list' ? items.items : undefined;
}

/** Nothing for an empty document. */
function checked(node: YamlNode): MapNode[] {
  if (isEmpty(node)) return [];
  if (node.kind !== 'map') throw new KustomizeError('missing Resource metadata');
  const shown = () => JSON.stringify(toJson(node)).slice(0, 1_000);
  if (kindOf(node) === '') {
    const isBare = ['apiVersion', 'metadata'].every((field) => isEmpty(at(node, field)));
    throw new KustomizeError(isBare ? 'missing Resource metadata' : `missing kind in object ${shown()}`);
  }
  const name = at(node, 'metadata', 'name');
  if (!kindOf(node).endsWith('List') && (isEmpty(name) || textOf(name) === ''))
    throw new KustomizeError(`missing metadata.name in object ${shown()}`);
  return [node];
}
