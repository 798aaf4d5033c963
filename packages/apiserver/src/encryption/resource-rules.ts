/** Which resources an entry of an EncryptionConfiguration may name (upstream: apis/apiserver/validation). */
import { at, type FieldError, invalidValue, required } from '@wherry/kubeapi';
import {
  type GroupResource,
  parseGroupResource,
  type ResourceRule,
  showGroupResource,
} from './configuration.ts';

/** Kept beside objects, and none themselves. */
const notServed = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

/** What is wrong with the names of one entry. */
export function resourceProblems(path: string, names: readonly string[]): FieldError[] {
  if (names.length === 0) return [required(path, 'at least one resource')];
  const problems: FieldError[] = [];
  if (new Set(names).size < names.length)
    problems.push(invalidValue(path, [...names], 'a resource is named twice'));
  if (hasOverlap(names.map(parseGroupResource)))
    problems.push(invalidValue(path, [...names], 'a resource is named beside a `*` that means it as well'));
  for (const [index, name] of names.entries()) {
    const why = nameProblem(name);
    if (why !== undefined) problems.push(invalidValue(at(path, index), name, why));
  }
  return problems;
}

/** The first resource that an earlier entry's `*` leaves nothing of. */
export function maskedProblem(rules: readonly ResourceRule[]): FieldError | undefined {
  const seen = new Set<string>();
  for (const [index, { resources }] of rules.entries()) {
    for (const [position, named] of resources.entries()) {
      const wider = [`*.${named.group}`, '*.*'].find((name) => seen.has(name));
      const path = at(`${at('resources', index)}.resources`, position);
      if (wider !== undefined)
        return invalidValue(
          path,
          showGroupResource(named),
          `${wider} stands before it, and means it as well`,
        );
      seen.add(showGroupResource(named));
    }
  }
  return undefined;
}

function hasOverlap(named: readonly GroupResource[]): boolean {
  const isAll = ({ group, resource }: GroupResource) => group === '*' && resource === '*';
  return named.some((one, index) =>
    named.some((other, position) => {
      if (index === position || (one.group === other.group && one.resource === other.resource)) return false;
      return isAll(one) || (one.group === other.group && one.resource === '*');
    }),
  );
}

function nameProblem(name: string): string | undefined {
  const { group, resource } = parseGroupResource(name);
  if (name.toLowerCase() !== name) return 'resources have no capital letters';
  if (name === '*') return 'the core group is `*.`, everything is `*.*`';
  if (notServed.includes(name)) return 'what no API serves is never encrypted';
  if (group === 'events.k8s.io') return 'events are kept in the core group: `events`';
  if (group === 'extensions') return 'the group is gone';
  if (group === '*' && resource !== '*') return 'a resource is of one group';
  return undefined;
}
