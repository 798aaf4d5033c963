import type {
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  RoleRef,
  Subject,
} from '@wherry/kubeapi';
import { serviceAccountUserName, type UserInfo } from '../authentication/identity.ts';
import type { ObjectCache } from '../objects/object-cache.ts';
import type { Attributes, Decision, PromptAuthorizer } from './authorizer.ts';

/** The objects that role-based access control reads. */
export interface RbacCaches {
  roles: ObjectCache<Role>;
  roleBindings: ObjectCache<RoleBinding>;
  clusterRoles: ObjectCache<ClusterRole>;
  clusterRoleBindings: ObjectCache<ClusterRoleBinding>;
}

/** What a binding gives somebody. */
interface BoundRules {
  role: string;
  /** Undefined: the role is not there. */
  rules: PolicyRule[] | undefined;
  /** What is told of it. */
  binding(): string;
}

/** Decides by Role, ClusterRole and their bindings. */
export class RbacAuthorizer implements PromptAuthorizer {
  readonly #caches: RbacCaches;

  constructor(caches: RbacCaches) {
    this.#caches = caches;
  }

  authorize(attributes: Attributes): Decision {
    const missing: string[] = [];
    for (const { rules, role, binding } of this.#boundRules(attributes.user, attributes.namespace)) {
      if (!rules) missing.push(role);
      else if (rules.some((rule) => ruleAllows(rule, attributes))) {
        return { outcome: 'allow', reason: `RBAC: allowed by ${binding()}` };
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

  /** The rules behind a binding's reference, for a binding of `namespace` ('' = of the cluster); undefined: no such role. */
  rulesOf({ kind, name }: RoleRef, namespace: string): PolicyRule[] | undefined {
    const { clusterRoles, roles } = this.#caches;
    const found =
      kind === 'ClusterRole'
        ? clusterRoles.get(name)
        : kind === 'Role' && namespace !== ''
          ? roles.get(`${namespace}/${name}`)
          : undefined;
    return found && (found.rules ?? []);
  }

  *#boundRules(user: UserInfo, namespace: string): Generator<BoundRules> {
    for (const { subjects, roleRef, metadata } of this.#caches.clusterRoleBindings.values()) {
      const subject = subjects?.find((each) => isSubject(each, user, ''));
      if (!subject) continue;
      const binding = () => bindingText('ClusterRoleBinding', metadata?.name ?? '', { roleRef, subject });
      yield { role: resourceText(roleRef), rules: this.rulesOf(roleRef, ''), binding };
    }
    if (namespace === '') return;
    for (const { subjects, roleRef, metadata } of this.#caches.roleBindings.values()) {
      if (metadata?.namespace !== namespace) continue;
      const subject = subjects?.find((each) => isSubject(each, user, namespace));
      if (!subject) continue;
      const name = `${metadata.name ?? ''}/${namespace}`;
      const binding = () => bindingText('RoleBinding', name, { roleRef, subject, namespace });
      yield { role: resourceText(roleRef), rules: this.rulesOf(roleRef, namespace), binding };
    }
  }
}

/** As upstream tells why somebody may do something. */
function bindingText(
  kind: string,
  name: string,
  { roleRef, subject, namespace = '' }: { roleRef: RoleRef; subject: Subject; namespace?: string },
): string {
  const own = subject.kind === 'ServiceAccount' ? `/${subject.namespace || namespace}` : '';
  const to = `${subject.kind} ${JSON.stringify(`${subject.name}${own}`)}`;
  return `${kind} ${JSON.stringify(name)} of ${describe(roleRef)} to ${to}`;
}

/** As upstream tells of what is not there. */
function resourceText({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${JSON.stringify(name)}`;
}

function describe({ kind, name }: RoleRef): string {
  return `${kind} ${JSON.stringify(name)}`;
}

function isSubject(subject: Subject, user: UserInfo, bindingNamespace: string): boolean {
  if (subject.kind === 'User') return subject.name === user.name;
  if (subject.kind === 'Group') return user.groups.includes(subject.name);
  const namespace = subject.namespace || bindingNamespace;
  const isAccount = subject.kind === 'ServiceAccount' && namespace !== '';
  return isAccount && user.name === serviceAccountUserName(namespace, subject.name);
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
