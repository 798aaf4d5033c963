import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from '@wherry/kubeapi';
import { serviceAccountUserName, type UserInfo } from '../authentication/identity.ts';
import type { ObjectCache } from '../registry/object-cache.ts';
import type { Attributes, Authorizer, Decision } from './authorizer.ts';

/** The objects that role-based access control reads. */
export interface RbacCaches {
  roles: ObjectCache<Role>;
  roleBindings: ObjectCache<RoleBinding>;
  clusterRoles: ObjectCache<ClusterRole>;
  clusterRoleBindings: ObjectCache<ClusterRoleBinding>;
}

/** Decides by Role, ClusterRole and their bindings. */
export class RbacAuthorizer implements Authorizer {
  readonly #caches: RbacCaches;

  constructor(caches: RbacCaches) {
    this.#caches = caches;
  }

  authorize(attributes: Attributes): Decision {
    const missing: string[] = [];
    for (const { rules, role } of this.#boundRules(attributes.user, attributes.namespace)) {
      if (!rules) missing.push(role);
      else if (rules.some((rule) => ruleAllows(rule, attributes))) {
        return { outcome: 'allow', reason: `RBAC: allowed by ${role}` };
      }
    }
    const reason =
      missing.length === 0 ? '' : `RBAC: ${missing.map((role) => `${role} not found`).join(', ')}`;
    return { outcome: 'no-opinion', reason };
  }

  /** Every rule that holds for `user` in `namespace` ('' = cluster scope only). */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    return [...this.#boundRules(user, namespace)].flatMap(({ rules }) => rules ?? []);
  }

  *#boundRules(
    user: UserInfo,
    namespace: string,
  ): Generator<{ role: string; rules: PolicyRule[] | undefined }> {
    for (const binding of this.#caches.clusterRoleBindings.values()) {
      if (!binding.subjects?.some((subject) => isSubject(subject, user, ''))) continue;
      const { name } = binding.roleRef;
      const role = `ClusterRole ${JSON.stringify(name)}`;
      yield { role, rules: rulesOf(this.#caches.clusterRoles.get(name)) };
    }
    if (namespace === '') return;
    for (const binding of this.#caches.roleBindings.values()) {
      if (binding.metadata?.namespace !== namespace) continue;
      if (!binding.subjects?.some((subject) => isSubject(subject, user, namespace))) continue;
      const { kind, name } = binding.roleRef;
      const found =
        kind === 'ClusterRole'
          ? this.#caches.clusterRoles.get(name)
          : this.#caches.roles.get(`${namespace}/${name}`);
      yield { role: `${kind} ${JSON.stringify(name)}`, rules: rulesOf(found) };
    }
  }
}

function rulesOf(role: ClusterRole | Role | undefined): PolicyRule[] | undefined {
  return role && (role.rules ?? []);
}

function isSubject(subject: Subject, user: UserInfo, bindingNamespace: string): boolean {
  if (subject.kind === 'User') return subject.name === user.name;
  if (subject.kind === 'Group') return user.groups.includes(subject.name);
  const namespace = subject.namespace || bindingNamespace;
  return subject.kind === 'ServiceAccount' && user.name === serviceAccountUserName(namespace, subject.name);
}

/** True when one rule alone allows the request. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!includes(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResource)
    return (rule.nonResourceURLs ?? []).some((url) => urlMatches(url, attributes.path));
  if (!includes(rule.apiGroups ?? [], attributes.group)) return false;
  if (!resourceMatches(rule.resources ?? [], attributes)) return false;
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(attributes.name);
}

function includes(values: readonly string[], value: string): boolean {
  return values.includes('*') || values.includes(value);
}

function resourceMatches(patterns: readonly string[], { resource, subresource }: Attributes): boolean {
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return patterns.some(
    (pattern) =>
      pattern === '*' || pattern === full || (subresource !== '' && pattern === `*/${subresource}`),
  );
}

function urlMatches(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1));
}
