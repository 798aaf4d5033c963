/** Which lists of an object patches merge, and by which keys. */
import { definitions, kindDefinitions } from '../generated/kinds.ts';

/** What is known of one value; undefined where nothing in it is merged. */
export interface MergeRule {
  /** The rule of a field. */
  field(name: string): MergeRule | undefined;
  /** The rule of the items of a list. */
  items: MergeRule | undefined;
  /** Of a list that is merged: what tells its items apart; none where that is their value. */
  keys: readonly string[] | undefined;
}

/** The rules of a kind of Kubernetes' own; undefined for others. */
export function rulesFor(apiVersion: string, kind: string): MergeRule | undefined {
  const path = `${apiVersion}/${kind}`;
  const name = Object.hasOwn(kindDefinitions, path) ? kindDefinitions[path] : undefined;
  return name === undefined ? undefined : ruleOf(name);
}

const nothing = (): undefined => undefined;

/** Reads `Definition`, `[]Definition@key,key` and `{}Definition`. */
function ruleOf(rule: string): MergeRule {
  if (rule.startsWith('{}')) {
    const value = ruleOf(rule.slice(2));
    return { field: () => value, items: undefined, keys: undefined };
  }
  if (rule.startsWith('[]')) {
    const [item = '', keys] = rule.slice(2).split('@');
    return {
      field: nothing,
      items: item === '' ? undefined : ruleOf(item),
      keys: keys === undefined ? undefined : keys === '' ? [] : keys.split(','),
    };
  }
  const fields = Object.hasOwn(definitions, rule) ? definitions[rule] : undefined;
  return {
    field: (name) => (fields && Object.hasOwn(fields, name) ? ruleOf(fields[name] ?? '') : undefined),
    items: undefined,
    keys: undefined,
  };
}
