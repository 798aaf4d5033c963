import type { KubeClient } from '@wherry/client';
import type { ClusterRole, PolicyRule, Role } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { warnLine } from '../../kube/warnings.ts';
import { Catalog } from '../../objects/catalog.ts';

/** What a role lets somebody do. */
export interface RoleFlags {
  verb?: string[];
  /** `TYPE[.GROUP][/SUBRESOURCE]`. */
  resource?: string[];
  resourceName?: string[];
  nonResourceUrl?: string[];
  /** `NAME=value` of cluster roles. */
  aggregationRule?: string[];
}

interface RoleWords {
  name: string;
  flags: RoleFlags;
  client: () => KubeClient;
}

const apiVersion = 'rbac.authorization.k8s.io/v1';

/** A role of a namespace, with a rule for each group of its resources. Throws `CommandError`. */
export async function roleObject({ name, flags, client }: RoleWords): Promise<Role> {
  const verbs = verbsOf(flags);
  if (verbs.length === 0) throw new CommandError('at least one verb must be specified');
  warnOfVerbs(verbs);
  if (!flags.resource) throw new CommandError('at least one resource must be specified');
  const rules = await resourceRules(verbs, flags, client);
  return { apiVersion, kind: 'Role', metadata: { name }, rules };
}

/** A role of the whole cluster: rules, or those of the cluster roles that have labels. */
export async function clusterRoleObject({ name, flags, client }: RoleWords): Promise<ClusterRole> {
  const base = { apiVersion, kind: 'ClusterRole', metadata: { name } };
  const verbs = verbsOf(flags);
  const { nonResourceUrl: paths = [], resource, resourceName, aggregationRule } = flags;
  if (aggregationRule) {
    if (paths.length > 0 || verbs.length > 0 || resource || resourceName) {
      throw new CommandError(
        'aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
      );
    }
    return {
      ...base,
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: parsePairs(aggregationRule) }] },
    };
  }
  if (verbs.length === 0) throw new CommandError('at least one verb must be specified');
  if (!resource && paths.length === 0)
    throw new CommandError('one of resource or nonResourceURL must be specified');
  if (resource) warnOfVerbs(verbs);
  const rules = resource ? await resourceRules(verbs, flags, client) : [];
  if (paths.length === 0) return { ...base, rules };
  requirePaths(verbs, paths);
  return { ...base, rules: [...rules, { verbs, nonResourceURLs: [...new Set(paths)] }] };
}

const verbsOf = ({ verb = [] }: RoleFlags): string[] => (verb.includes('*') ? ['*'] : [...new Set(verb)]);

const resourceVerbs = new Set([
  ...['*', 'get', 'delete', 'list', 'create', 'update', 'patch', 'watch', 'proxy', 'deletecollection'],
  ...['use', 'bind', 'escalate', 'impersonate'],
]);
const pathVerbs = new Set(['*', 'get', 'post', 'put', 'delete', 'patch', 'head', 'options']);

function warnOfVerbs(verbs: readonly string[]): void {
  for (const verb of verbs)
    if (!resourceVerbs.has(verb)) warnLine(`'${verb}' is not a standard resource verb`);
}

function requirePaths(verbs: readonly string[], paths: readonly string[]): void {
  const wrong = verbs.find((verb) => !pathVerbs.has(verb));
  if (wrong !== undefined) throw new CommandError(`invalid verb: '${wrong}' for nonResourceURL`);
  for (const path of paths) {
    if (path === '*') continue;
    if (!path.startsWith('/')) throw new CommandError('nonResourceURL should start with /');
    if (path.slice(0, -1).includes('*'))
      throw new CommandError("nonResourceURL only supports wildcard matches when '*' is at the end");
  }
}

/** The resources, as `GROUP/RESOURCE`, that some verbs are for. */
const onlyFor = new Map([
  ['use', ['policy/podsecuritypolicies', 'extensions/podsecuritypolicies']],
  ['bind', ['rbac.authorization.k8s.io/roles', 'rbac.authorization.k8s.io/clusterroles']],
  ['escalate', ['rbac.authorization.k8s.io/roles', 'rbac.authorization.k8s.io/clusterroles']],
  ['impersonate', ['/users', '/serviceaccounts', '/groups', 'authentication.k8s.io/userextras']],
]);

interface WantedResource {
  resource: string;
  group: string;
  /** `/status`, or nothing. */
  subresource: string;
  isServed: boolean;
}

async function resourceRules(
  verbs: string[],
  { resource: words = [], resourceName = [] }: RoleFlags,
  client: () => KubeClient,
): Promise<PolicyRule[]> {
  const all = words.includes('*') ? ['*'] : words;
  const catalog = await Catalog.of(client());
  const wanted = all.map((word) => resourceMeant(word, catalog));
  for (const one of wanted) {
    if (one.resource === '')
      throw new CommandError('resource must be specified if apiGroup/subresource specified');
    if (one.resource === '*') break;
    requireServed(one, verbs);
  }
  const groups = new Map<string, Set<string>>();
  for (const { group, resource, subresource } of wanted)
    groups.set(group, (groups.get(group) ?? new Set()).add(resource + subresource));
  const names = [...new Set(resourceName)];
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, resources]) => ({
      ...{ apiGroups: [group], resources: [...resources], verbs },
      ...(names.length > 0 ? { resourceNames: names } : {}),
    }));
}

function resourceMeant(word: string, catalog: Catalog): WantedResource {
  const [, typed = '', subresource = ''] = /^([^/]*)(\/.*)?$/s.exec(word) ?? [];
  const found = typed === '' ? undefined : catalog.find(typed);
  if (found) return { resource: found.plural, group: found.group, subresource, isServed: true };
  const [resource = '', ...rest] = typed.split('.');
  return { resource, group: rest.join('.'), subresource, isServed: false };
}

function requireServed({ resource, group, isServed }: WantedResource, verbs: readonly string[]): void {
  const special = verbs.filter((verb) => onlyFor.has(verb));
  const wrong = special.find((verb) => !onlyFor.get(verb)?.includes(`${group}/${resource}`));
  if (wrong !== undefined)
    throw new CommandError(`can not perform '${wrong}' on '${resource}' in group '${group}'`);
  if (isServed || special.length > 0) return;
  const where = group === '' ? '' : ` in group "${group}"`;
  throw new CommandError(`the server doesn't have a resource type "${resource}"${where}`);
}

function parsePairs(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, key, value] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined || value === undefined)
        throw new CommandError(`malformed pair, expect string=string: ${pair}`);
      return [key.trim(), value.trim()];
    }),
  );
}
