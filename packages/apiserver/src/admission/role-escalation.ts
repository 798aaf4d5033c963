import { isDeepStrictEqual } from 'node:util';
import {
  badRequest,
  type ClusterRole,
  notFound,
  type PolicyRule,
  type Role,
  type RoleBinding,
  type RoleRef,
  uncoveredRules,
} from '@wherry/kubeapi';
import { groups } from '../authentication/identity.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { RbacAuthorizer } from '../authorization/rbac.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, type AdmissionRule, refused } from './admission.ts';
import type { PluginParts } from './plugin-parts.ts';

const rbacGroup = 'rbac.authorization.k8s.io';
/** What a binding without one refers to. */
const noRole: RoleRef = { apiGroup: rbacGroup, kind: '', name: '' };
/** What an aggregated role may come to hold. */
const everything: PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Nobody hands out rights that they do not have: whoever writes a role must hold its rules (or may `escalate`),
 * whoever writes a binding must hold the rules of its role (or may `bind` it), which are looked up as the authorizer
 * looks them up; a role that is not there can't be bound without the right to (upstream: pkg/registry/rbac).
 */
export function roleEscalation({
  rbac,
  authorizer,
}: Pick<PluginParts, 'rbac' | 'authorizer'>): AdmissionPlugin {
  return rbac ? new RoleEscalation(rbac, authorizer) : { name, handles: [] };
}

const name = 'RoleEscalation';

class RoleEscalation implements AdmissionPlugin {
  readonly name = name;
  readonly onlyRefuses = true;
  readonly handles: readonly AdmissionRule[] = [
    {
      operations: ['CREATE', 'UPDATE'],
      resources: ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(
        (plural) => `${rbacGroup}/${plural}`,
      ),
    },
  ];
  readonly #rbac: RbacAuthorizer;
  readonly #authorizer: Authorizer;

  constructor(rbac: RbacAuthorizer, authorizer: Authorizer) {
    this.#rbac = rbac;
    this.#authorizer = authorizer;
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const { plural } = request.resource;
    const { previous, user } = request;
    const object = request.object!;
    if (user.groups.includes(groups.masters)) return;
    if (previous && changesOnlyOwnership(object, previous)) return;
    if (plural === 'roles' || plural === 'clusterroles') await this.#admitRole(request, plural);
    else await this.#admitBinding(request, as<RoleBinding>(object).roleRef ?? noRole);
  }

  async #admitRole(request: AdmissionRequest, resource: string): Promise<void> {
    const { object, previous } = request;
    // Who creates by POST names no object yet: a right to one name alone does not do.
    const name = request.verb === 'create' ? '' : request.name;
    if (await this.#may(request, { verb: 'escalate', group: rbacGroup, resource, name })) return;
    this.#require(as<Role>(object!).rules ?? [], request);
    // An aggregation rule can gather anything, and taking it away can undo a tightening.
    const aggregates = [object, previous].some((role) => role && hasAggregationRule(role));
    if (!aggregates || this.#missing(everything, request).length === 0) return;
    throw refused(request, 'must have cluster-admin privileges to use the aggregationRule');
  }

  async #admitBinding(request: AdmissionRequest, roleRef: RoleRef): Promise<void> {
    const { kind, name, apiGroup = '' } = roleRef;
    const isKnown = kind === 'ClusterRole' || kind === 'Role';
    const resource = kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    if (isKnown && (await this.#may(request, { verb: 'bind', group: apiGroup, resource, name }))) return;
    const isMisplaced = kind === 'Role' && request.namespace === '';
    if (isMisplaced) throw badRequest('Namespace parameter required.');
    const rules = this.#rbac.rulesOf(roleRef, request.namespace);
    // Told of what is written, as upstream.
    if (!rules) throw notFound({ group: rbacGroup, resource: request.resource.plural }, name);
    this.#require(rules, request);
  }

  async #may(
    { user, namespace }: AdmissionRequest,
    target: { verb: string; group: string; resource: string; name: string },
  ): Promise<boolean> {
    const attributes = { user, namespace, isResource: true, path: '', subresource: '', ...target };
    return (await this.#authorizer.authorize(attributes)).outcome === 'allow';
  }

  #missing(rules: readonly PolicyRule[], { user, namespace }: AdmissionRequest): PolicyRule[] {
    return uncoveredRules(this.#rbac.rulesFor(user, namespace), rules);
  }

  #require(rules: readonly PolicyRule[], request: AdmissionRequest): void {
    const missing = this.#missing(rules, request);
    if (missing.length === 0) return;
    const { name, groups: memberships } = request.user;
    const who = `user ${JSON.stringify(name)} (groups=[${memberships.map((text) => JSON.stringify(text)).join(' ')}])`;
    const list = [...new Set(compacted(missing).map(compactText))].sort().join('\n');
    throw refused(request, `${who} is attempting to grant RBAC permissions not currently held:\n${list}`);
  }
}

/** Garbage collection must be able to take off finalizers and owners of roles that it does not hold itself. */
function changesOnlyOwnership(next: ApiObject, previous: ApiObject): boolean {
  const { ownerReferences, finalizers, managedFields, resourceVersion } = previous.metadata;
  const kept = { ownerReferences, finalizers, managedFields, resourceVersion };
  const comparable = { ...next, metadata: { ...next.metadata, ...kept } };
  return isDeepStrictEqual(withoutAbsent(comparable), withoutAbsent(previous));
}

function withoutAbsent(object: ApiObject): unknown {
  return JSON.parse(JSON.stringify(object));
}

function hasAggregationRule(role: ApiObject): boolean {
  return (as<ClusterRole>(role).aggregationRule?.clusterRoleSelectors ?? []).length > 0;
}

/** Rules that differ by their verbs alone are one. Each is about one resource, or one path (upstream: CompactRules). */
function compacted(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    const key = JSON.stringify(rule.nonResourceURLs ? rule : rest);
    merged.set(key, { ...rest, verbs: [...(merged.get(key)?.verbs ?? []), ...verbs] });
  }
  return [...merged.values()];
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`, as upstream prints a rule. */
function compactText(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['ResourceNames', rule.resourceNames],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['Verbs', rule.verbs],
  ] as const;
  const shown = parts.flatMap(([name, values]) =>
    values ? [`${name}:[${values.map((text) => JSON.stringify(text)).join(' ')}]`] : [],
  );
  return `{${shown.join(', ')}}`;
}
