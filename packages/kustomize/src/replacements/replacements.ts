/** `replacements`: values of objects, or texts, at fields of others (kustomize api/filters/replacement). */
import { KustomizeError } from '../errors.ts';
import { limits } from '../limits.ts';
import { idText, isSelectedById, type ObjectId } from '../model/object-id.ts';
import type { Resource } from '../model/resource.ts';
import { type ResourceList, type Selector, SelectorPatterns } from '../model/resource-list.ts';
import { become, copyNode, countNodes, isEmpty, scalar, textOf, type YamlNode } from '../yaml/node.ts';
import { nodeAt, nodesAt, splitFieldPath } from './path.ts';
import { replaceInText } from './structured-text.ts';

export interface FieldOptions {
  delimiter?: string;
  index?: number;
  encoding?: string;
  create?: boolean;
}

export interface TargetSelector {
  select?: Selector;
  reject?: Selector[];
  fieldPaths?: string[];
  options?: FieldOptions;
}

export interface Replacement {
  source?: Partial<ObjectId> & { fieldPath?: string; options?: FieldOptions };
  targets?: TargetSelector[];
  sourceValue?: string;
}

export interface ReplacementEntry extends Replacement {
  /** A file that holds one, or a list of them. */
  path?: string;
}

/** What is put in a place, and what may still be. */
interface Put {
  value: YamlNode;
  /** With all that is in it. */
  nodes: number;
  left: { nodes: number };
}

export function applyReplacements(resources: ResourceList, replacements: readonly Replacement[]): void {
  const left = { nodes: limits.copiedNodesMax };
  for (const replacement of replacements) {
    const { source, sourceValue, targets } = replacement;
    if ((source === undefined && sourceValue === undefined) || targets === undefined)
      throw new KustomizeError('replacements must specify a source and at least one target');
    const value = sourceNode(resources, replacement);
    const put = { value, nodes: countNodes(value), left };
    for (const target of targets) replaceIn(resources, target, put);
  }
}

const idsOf = (resource: Resource): ObjectId[] => [resource.id, ...resource.formerIds];

function sourceNode(resources: ResourceList, { source = {}, sourceValue }: Replacement): YamlNode {
  if (sourceValue !== undefined) {
    if (Object.keys(source).length > 0)
      throw new KustomizeError('value and resource selectors are mutually exclusive');
    return scalar(sourceValue);
  }
  const { fieldPath = '', options, ...parts } = source;
  const selector = { group: '', version: '', kind: '', name: '', namespace: '', ...parts };
  const found = resources.items.filter((one) => idsOf(one).some((id) => isSelectedById(id, selector)));
  const [first] = found;
  if (found.length > 1) throw new KustomizeError(`multiple matches for selector ${idText(selector)}`);
  if (!first) throw new KustomizeError(`nothing selected by ${idText(selector)}`);
  const path = fieldPath || 'metadata.name';
  const node = nodeAt(first.node, splitFieldPath(path));
  if (node === undefined || isEmpty(node))
    throw new KustomizeError(`fieldPath \`${path}\` is missing for replacement source ${idText(selector)}`);
  return partOf(node, options);
}

function partOf(node: YamlNode, { delimiter = '', index = 0 }: FieldOptions = {}): YamlNode {
  if (delimiter === '') return node;
  if (node.kind !== 'scalar') throw new KustomizeError('delimiter option can only be used with scalar nodes');
  const part = index < 0 ? undefined : node.text.split(delimiter)[index];
  if (part === undefined)
    throw new KustomizeError(`options.index ${index} is out of bounds for value ${node.text}`);
  return { ...node, text: part };
}

function replaceIn(resources: ResourceList, target: TargetSelector, put: Put): void {
  const { select, reject = [] } = target;
  if (!select) throw new KustomizeError('target must specify resources to select');
  const selected = new SelectorPatterns(select);
  const rejected = reject.map((one) => ({ one, patterns: new SelectorPatterns(one) }));
  for (const resource of resources.items) {
    const ids = idsOf(resource);
    const isRejected = rejected.some(
      ({ one, patterns }) =>
        (hasTexts(one) && matchesTexts(resource, one)) || (hasId(one) && ids.some((id) => patterns.isId(id))),
    );
    if (isRejected || !matchesTexts(resource, select) || !ids.some((id) => selected.isId(id))) continue;
    setFields(resource, target, put);
  }
}

const hasTexts = ({ labelSelector = '', annotationSelector = '' }: Selector) =>
  labelSelector !== '' || annotationSelector !== '';

const hasId = ({ group, version, kind, name, namespace }: Selector) =>
  [group, version, kind, name, namespace].some((part) => part !== undefined && part !== '');

const matchesTexts = (resource: Resource, { labelSelector = '', annotationSelector = '' }: Selector) =>
  resource.matches('annotations', annotationSelector) && resource.matches('labels', labelSelector);

function setFields(
  resource: Resource,
  { fieldPaths = [], options = {} }: TargetSelector,
  { value, nodes, left }: Put,
): void {
  for (const fieldPath of fieldPaths.length > 0 ? fieldPaths : ['metadata.name']) {
    const path = splitFieldPath(fieldPath);
    const create = options.create ? value.kind : undefined;
    if (replaceInText(resource.node, path, { value, create })) continue;
    const said = `unable to find ${options.create ? 'or create ' : ''}field ${JSON.stringify(fieldPath)} in replacement target`;
    const fields = found(said, () => nodesAt(resource.node, path, create));
    if (fields.length === 0) throw new KustomizeError(said);
    left.nodes -= nodes * fields.length;
    if (left.nodes < 0) throw new KustomizeError(`replacements may copy ${limits.copiedNodesMax} values`);
    for (const field of fields) setField(field, copyNode(value), options);
  }
}

function found(said: string, look: () => YamlNode[]): YamlNode[] {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error;
    throw new KustomizeError(`${said}: ${error.message}`, { cause: error });
  }
}

/** A scalar keeps what it is: a number stays one, and what is quoted a text. */
function setField(field: YamlNode, value: YamlNode, { delimiter = '', index = 0 }: FieldOptions): void {
  if (delimiter !== '') {
    if (field.kind !== 'scalar')
      throw new KustomizeError('delimiter option can only be used with scalar nodes');
    const text = joined(field.text.split(delimiter), textOf(value), index).join(delimiter);
    if (text.length > limits.textLengthMax)
      throw new KustomizeError(`replacements may make texts of ${limits.textLengthMax} characters`);
    field.text = text;
  } else if (field.kind === 'scalar') field.text = textOf(value);
  else become(field, value);
}

/** In front of all below 0, behind all beyond the last. */
function joined(parts: string[], value: string, index: number): string[] {
  if (index < 0) return [value, ...parts];
  return index >= parts.length ? [...parts, value] : parts.with(index, value);
}
