import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding } from '@wherry/kubeapi';
import { metadataLines } from '../text/labels.ts';
import { columns, field, type Lines, section } from '../text/lines.ts';
import { list, sortedBy } from '../text/values.ts';

/** A role of a namespace or of the cluster: what it lets be done, a line for each resource. */
export function describeRole({ metadata, rules }: Role | ClusterRole): Lines {
  const titles = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];
  const rows = compacted(rules ?? []).map(({ apiGroups = [], resources = [], ...rule }) => [
    resourceText(resources[0], apiGroups[0]),
    ...[list(rule.nonResourceURLs), list(rule.resourceNames), list(rule.verbs)],
  ]);
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    ...section('PolicyRule', columns(titles, rows)),
  ];
}

/** `deployments.apps/scale`. */
function resourceText(resource: string | undefined, group: string | undefined): string {
  if (resource === undefined) return '';
  const [name, ...rest] = resource.split('/');
  return [`${name}${group ? `.${group}` : ''}`, ...(rest.length > 0 ? [rest.join('/')] : [])].join('/');
}

/** Rules of one resource each, all verbs of it in one; of paths one for each verb. */
function compacted(rules: readonly PolicyRule[]): PolicyRule[] {
  const simple = new Map<string, PolicyRule>();
  const paths: PolicyRule[] = [];
  for (const rule of rules) {
    for (const one of resourceRules(rule)) {
      const { apiGroups, resources, resourceNames } = one;
      const key = JSON.stringify([apiGroups, resources, resourceNames]);
      const known = simple.get(key);
      simple.set(key, known ? { ...known, verbs: [...new Set([...known.verbs, ...one.verbs])] } : one);
    }
    for (const path of rule.nonResourceURLs ?? [])
      for (const verb of rule.verbs) paths.push({ verbs: [verb], nonResourceURLs: [path] });
  }
  return sortedBy([...paths, ...simple.values()], orderText);
}

function resourceRules({
  apiGroups = [],
  resources = [],
  verbs,
  resourceNames = [],
}: PolicyRule): PolicyRule[] {
  const names = resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ resourceNames: [name] }));
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        names.map((named) => ({ apiGroups: [group], resources: [resource], verbs: [verb], ...named })),
      ),
    ),
  );
}

/** By what Go prints of a rule. */
const orderText = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string =>
  [
    `&PolicyRule{Verbs:${list(verbs)},APIGroups:${list(apiGroups)},Resources:${list(resources)},`,
    `ResourceNames:${list(resourceNames)},NonResourceURLs:${list(nonResourceURLs)},}`,
  ].join('');

/** Who has a role. */
export function describeBinding({ metadata, roleRef, subjects }: RoleBinding | ClusterRoleBinding): Lines {
  const rows = (subjects ?? []).map(({ kind, name, namespace }) => [kind, name, namespace]);
  return [
    field('Name', metadata.name),
    ...metadataLines(metadata),
    ...section('Role', [field('Kind', roleRef.kind), field('Name', roleRef.name)]),
    ...section('Subjects', columns(['Kind', 'Name', 'Namespace'], rows)),
  ];
}
