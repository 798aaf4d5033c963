/** `vars`: fields of objects, whose values stand for `$(NAME)` in texts of others. Deprecated, and much used. */
import { KustomizeError } from '../errors.ts';
import type { FieldSpec } from '../model/field-spec.ts';
import { isClusterScoped, parseApiVersion } from '../model/gvk.ts';
import { isSameName, type ObjectId, sameId } from '../model/object-id.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { nodeAt, splitFieldPath } from '../replacements/path.ts';
import { atFields } from '../transform/at-fields.ts';
import { isMissing, type ScalarNode, text, type YamlNode } from '../yaml/node.ts';
import { scalarValue } from '../yaml/to-json.ts';
import { expand, type VariableValue } from './expand.ts';

export interface Variable {
  name?: string;
  objref?: Partial<ObjectId> & { apiVersion?: string };
  fieldref?: { fieldPath?: string };
}

/** Marks the objects that variables read from. Throws KustomizeError where several could be meant. */
export function markSources(resources: ResourceList, variables: readonly Variable[]): void {
  for (const { name = '', objref = {} } of variables) {
    const { apiVersion, ...parts } = objref;
    const id: ObjectId = {
      ...{ group: '', version: '', kind: '', name: '', namespace: '' },
      ...parts,
      ...(apiVersion ? parseApiVersion(apiVersion) : {}),
    };
    const isExact = id.namespace !== '' || isClusterScoped(id);
    const found = resources.withAnyId((other) => (isExact ? sameId(id, other) : isSameName(id, other)));
    if (found.length > 1)
      throw new KustomizeError(
        `found ${found.length} resId matches for var ${name} (unable to disambiguate)`,
      );
    found[0]?.variables.push(name);
  }
}

/** Puts the values of variables in their places. */
export function resolveVariables(
  resources: ResourceList,
  variables: ReadonlyMap<string, Variable>,
  specs: readonly FieldSpec[],
): void {
  if (variables.size === 0) return;
  const values = new Map([...variables].map(([name, one]) => [name, valueOfVariable(resources, name, one)]));
  const known = (name: string) => values.get(name);
  for (const resource of resources.items) atFields(resource, specs, (node) => setTexts(node, known));
}

function valueOfVariable(
  resources: ResourceList,
  name: string,
  { fieldref }: Variable,
): VariableValue | undefined {
  const path = fieldref?.fieldPath || 'metadata.name';
  const source = resources.items.find((one) => one.variables.includes(name));
  if (!source)
    throw new KustomizeError(`var '${name}' cannot be mapped to a field in the set of known resources`);
  const parts = splitFieldPath(path).flatMap((part) => part.replace(/\[(\d+)\]$/, '\0$1').split('\0'));
  const node = nodeAt(source.node, parts);
  if (node === undefined)
    throw new KustomizeError(`field specified in var '${name}' not found in corresponding resource`);
  // Maps and lists are no values: what names them stays as it is.
  if (node.kind !== 'scalar') return undefined;
  const { value } = scalarValue(node);
  return value ?? node.text;
}

type Known = (name: string) => VariableValue | undefined;

function setTexts(node: YamlNode, known: Known): void {
  if (isMissing(node)) return;
  if (node.kind === 'scalar') setText(node, known);
  else if (node.kind === 'map') {
    for (const value of node.fields.values()) if (value.kind === 'scalar') setText(value, known);
  } else {
    for (const item of node.items) {
      if (item.kind !== 'scalar' || !isText(item))
        throw new KustomizeError('invalid value type expect a string');
      setText(item, known);
    }
  }
}

const isText = ({ tag }: ScalarNode) => tag === '!!str' || tag === '';

function setText(node: ScalarNode, known: Known): void {
  if (!isText(node)) return;
  const value = expand(node.text, known);
  if (typeof value === 'string') Object.assign(node, text(value));
  else {
    const isWhole = typeof value === 'bigint' || Number.isInteger(value);
    const tag = typeof value === 'boolean' ? '!!bool' : isWhole ? '!!int' : '!!float';
    Object.assign(node, { text: String(value), tag, isQuoted: false });
  }
}
