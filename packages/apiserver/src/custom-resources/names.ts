import type { CustomResourceDefinition, CustomResourceDefinitionNames, ResourceFacts } from '@wherry/kubeapi';
import type { Condition } from './conditions.ts';

/** Names that others of the group have: a resource by each of its names, kinds and kinds of lists. */
export interface TakenNames {
  resources: ReadonlySet<string>;
  kinds: ReadonlySet<string>;
}

/** The names that built-in resources and other definitions have in a group. */
export function takenNames(
  group: string,
  others: Iterable<CustomResourceDefinition>,
  builtIn: readonly ResourceFacts[],
): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const facts of builtIn) {
    if (facts.group !== group) continue;
    for (const name of [facts.plural, facts.singular, ...(facts.shortNames ?? [])]) resources.add(name);
    kinds.add(facts.kind).add(`${facts.kind}List`);
  }
  for (const { spec, status } of others) {
    const names = status?.acceptedNames;
    if (spec.group !== group || !names) continue;
    for (const name of [names.plural, names.singular, ...(names.shortNames ?? [])])
      if (name) resources.add(name);
    for (const kind of [names.kind, names.listKind]) if (kind) kinds.add(kind);
  }
  return { resources, kinds };
}

/** The names that a definition has got, and whether they are those that it asks for. */
export interface Naming {
  accepted: CustomResourceDefinitionNames;
  condition: Condition;
}

/** Gives a definition the names that are free; others it keeps as they were (upstream: naming_controller). */
export function nameDefinition({ spec, status }: CustomResourceDefinition, taken: TakenNames): Naming {
  const asked = spec.names;
  const accepted: CustomResourceDefinitionNames = { ...(status?.acceptedNames ?? { plural: '', kind: '' }) };
  let conflict: { reason: string; message: string } | undefined;
  const take = (
    key: 'plural' | 'singular' | 'kind' | 'listKind',
    names: ReadonlySet<string>,
    reason: string,
  ) => {
    const name = asked[key] ?? '';
    if (name === accepted[key] || !names.has(name)) accepted[key] = name;
    else conflict = { reason, message: `${JSON.stringify(name)} is already in use` };
  };
  take('plural', taken.resources, 'PluralConflict');
  take('singular', taken.resources, 'SingularConflict');
  const { shortNames = [] } = asked;
  const used = shortNames.filter((name) => !accepted.shortNames?.includes(name) && taken.resources.has(name));
  if (used.length > 0)
    conflict = { reason: 'ShortNamesConflict', message: `${JSON.stringify(used[0])} is already in use` };
  else setList(accepted, 'shortNames', shortNames);
  take('kind', taken.kinds, 'KindConflict');
  take('listKind', taken.kinds, 'ListKindConflict');
  setList(accepted, 'categories', asked.categories ?? []);
  const said = conflict ?? { reason: 'NoConflicts', message: 'no conflicts found' };
  return { accepted, condition: { type: 'NamesAccepted', status: conflict ? 'False' : 'True', ...said } };
}

function setList(
  names: CustomResourceDefinitionNames,
  key: 'shortNames' | 'categories',
  list: string[],
): void {
  if (list.length > 0) names[key] = list;
  else delete names[key];
}
