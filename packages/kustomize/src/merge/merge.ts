/** Strategic merge as kustomize has it: null and `$patch` take away, keyed lists grow at their beginning (kyaml yaml/walk, yaml/merge2). */
import { KustomizeError } from '../errors.ts';
import { fieldOf, isMissing, isNull, type ListNode, type map, textOf, type YamlNode } from '../yaml/node.ts';
import { takeDirective, takeListDirective } from './directive.ts';
import { mergeKeyedList, mergeValueList } from './merge-list.ts';
import { type MergeRule, rulesFor } from './rules.ts';

/** What one value becomes; undefined where it goes. Both nodes may be changed, and parts of the patch end up in the result. */
export function merge(
  target: YamlNode | undefined,
  patch: YamlNode | undefined,
  given?: MergeRule,
): YamlNode | undefined {
  const rule = given ?? ownRules(target) ?? ownRules(patch);
  const kind = isMissing(target) ? (isMissing(patch) ? 'map' : patch.kind) : target.kind;
  for (const node of [target, patch]) {
    if (!isMissing(node) && node.kind !== kind)
      throw new KustomizeError(`wrong node kind: expected ${kindText[kind]} but got ${kindText[node.kind]}`);
  }
  if (kind === 'map') return mergeMaps(target, patch, rule);
  if (kind === 'scalar' || rule?.keys === undefined) return patch ?? target;
  return mergeLists(target, patch, rule);
}

const kindText = { map: 'MappingNode', list: 'SequenceNode', scalar: 'ScalarNode' } as const;

function ownRules(node: YamlNode | undefined): MergeRule | undefined {
  const [apiVersion, kind] = [textOf(fieldOf(node, 'apiVersion')), textOf(fieldOf(node, 'kind'))];
  return apiVersion !== '' && kind !== '' ? rulesFor(apiVersion, kind) : undefined;
}

function mergeMaps(
  target: YamlNode | undefined,
  patch: YamlNode | undefined,
  rule: MergeRule | undefined,
): YamlNode | undefined {
  const result = mergedMap(target, patch);
  if (result?.kind !== 'map') return result;
  const names = new Set([...result.fields.keys(), ...(patch?.kind === 'map' ? patch.fields.keys() : [])]);
  for (const name of [...names].sort()) {
    const value = merge(result.fields.get(name), fieldOf(patch, name), rule?.field(name));
    const isKept = value !== undefined && (!isNull(value) || keptNulls.has(value));
    if (isKept) result.fields.set(name, value);
    else result.fields.delete(name);
  }
  return result;
}

/** Nulls of the target that no patch is about, and that somebody wrote. */
const keptNulls = new WeakSet<YamlNode>();

/** The map to go on with. */
function mergedMap(target: YamlNode | undefined, patch: YamlNode | undefined): YamlNode | undefined {
  if (isMissing(target)) {
    if (patch?.kind === 'map' && patchDirective(patch) === 'delete') return undefined;
    if (patch !== undefined || target === undefined || textOf(target) === '') return patch;
    keptNulls.add(target);
    return target;
  }
  if (patch === undefined) return target;
  if (patch.kind !== 'map') return undefined;
  const directive = takeDirective(patch);
  if (directive === 'delete') return undefined;
  return directive === 'replace' ? patch : target;
}

function patchDirective(patch: ReturnType<typeof map>): string {
  try {
    return takeDirective(patch);
  } catch {
    return 'unknown';
  }
}

function mergeLists(
  target: YamlNode | undefined,
  patch: YamlNode | undefined,
  rule: MergeRule,
): YamlNode | undefined {
  const result = mergedList(target, patch);
  if (result?.kind !== 'list') return result;
  const other = patch?.kind === 'list' ? patch : undefined;
  return rule.keys && rule.keys.length > 0
    ? mergeKeyedList(result, other, rule.keys, (one, its) => merge(one, its, rule.items))
    : mergeValueList(result, other);
}

function mergedList(target: YamlNode | undefined, patch: YamlNode | undefined): YamlNode | undefined {
  if (isMissing(target)) return patch;
  if (patch === undefined) return target;
  if (patch.kind !== 'list') return undefined;
  const directive = takeListDirective(patch as ListNode);
  if (directive === 'delete') return undefined;
  return directive === 'replace' ? patch : target;
}
