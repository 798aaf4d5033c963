import { type ClusterRole, forbidden, type PolicyRule, type Role, type RoleBinding } from '@wherry/kubeapi';
import { groups, type UserInfo } from '../authentication/identity.ts';
import type { Attributes, Authorizer } from '../authorization/authorizer.ts';
import { type RbacAuthorizer, type RbacCaches, ruleAllows } from '../authorization/rbac.ts';
import { as } from '../registry/api-object.ts';
import type { AdmissionPlugin, AdmissionRequest } from './admission.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/**
 * Nobody hands out rights that they do not have: whoever writes a role must hold its rules (or may `escalate`),
 * whoever writes a binding must hold the rules of its role (or may `bind` it).
 */
export class RoleEscalation implements AdmissionPlugin {
  readonly name = 'RoleEscalation';
  readonly #rbac: RbacAuthorizer;
  readonly #caches: RbacCaches;
  readonly #authorizer: Authorizer;

  constructor(parts: { rbac: RbacAuthorizer; caches: RbacCaches; authorizer: Authorizer }) {
    this.#rbac = parts.rbac;
    this.#caches = parts.caches;
    this.#authorizer = parts.authorizer;
  }

  async admit(request: AdmissionRequest): Promise<void> {
    const { group, plural } = request.resource.facts;
    const { object, user } = request;
    if (group !== rbacGroup || !object || user.groups.includes(groups.masters)) return;
    if (plural === 'roles' || plural === 'clusterroles') {
      const rules = as<Role>(object).rules ?? [];
      if (await this.#may(request, { verb: 'escalate', resource: plural, name: object.metadata.name ?? '' }))
        return;
      this.#require(rules, request);
      return;
    }
    const { roleRef } = as<RoleBinding>(object);
    const resource = roleRef.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
    if (await this.#may(request, { verb: 'bind', resource, name: roleRef.name })) return;
    this.#require(this.#roleOf(request, resource, roleRef.name)?.rules ?? [], request);
  }

  #roleOf({ namespace }: AdmissionRequest, resource: string, name: string): Role | ClusterRole | undefined {
    return resource === 'clusterroles'
      ? this.#caches.clusterRoles.get(name)
      : this.#caches.roles.get(`${namespace}/${name}`);
  }

  async #may(
    { user, namespace }: AdmissionRequest,
    target: { verb: string; resource: string; name: string },
  ): Promise<boolean> {
    const attributes = { ...resourceAttributes(user, namespace), group: rbacGroup, ...target };
    return (await this.#authorizer.authorize(attributes)).outcome === 'allow';
  }

  #require(rules: readonly PolicyRule[], request: AdmissionRequest): void {
    const held = this.#rbac.rulesFor(request.user, request.namespace);
    for (const rule of rules) {
      for (const attributes of demands(rule, resourceAttributes(request.user, request.namespace))) {
        if (!held.some((own) => ruleAllows(own, attributes))) throw refusal(request, rule);
      }
    }
  }
}

function resourceAttributes(user: UserInfo, namespace: string): Attributes {
  return {
    ...{ user, namespace, verb: '', isResource: true, path: '' },
    ...{ group: '', resource: '', subresource: '', name: '' },
  };
}

/** A rule taken apart into single requests; its wildcards can only be met by wildcards. */
function* demands(rule: PolicyRule, base: Attributes): Generator<Attributes> {
  for (const verb of rule.verbs) {
    for (const path of rule.nonResourceURLs ?? []) yield { ...base, verb, isResource: false, path };
    for (const group of rule.apiGroups ?? []) {
      for (const full of rule.resources ?? []) {
        const [resource = '', subresource = ''] = full.split('/');
        const names = rule.resourceNames?.length ? rule.resourceNames : [''];
        for (const name of names) yield { ...base, verb, group, resource, subresource, name };
      }
    }
  }
}

function refusal({ resource, object, user }: AdmissionRequest, rule: PolicyRule): Error {
  const ref = { group: resource.facts.group, resource: resource.facts.plural };
  const who = `user ${JSON.stringify(user.name)} (groups=${JSON.stringify(user.groups)})`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${JSON.stringify(rule)}`;
  return forbidden(ref, object?.metadata.name ?? '', why);
}
