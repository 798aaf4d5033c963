import { isDeepStrictEqual } from 'node:util';
import { type ClusterRole, type ClusterRoleBinding, type Subject, uncoveredRules } from '@wherry/kubeapi';
import { bootstrapBindings, bootstrapNamespaced, bootstrapRoles } from '../authorization/bootstrap-policy.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { Change } from '../objects/object-storage.ts';
import type { Collection } from '../registry/collection.ts';
import { ensure, type FindCollection } from './ensure.ts';

const rbac = ['rbac.authorization.k8s.io', 'v1'] as const;
/** `false` on a role or binding keeps it as somebody has made it. */
const updated = 'rbac.authorization.kubernetes.io/autoupdate';

/**
 * Makes the roles and bindings that every cluster has, and adds to those that are there what they lack; what somebody has
 * added to them stays (upstream: component-helpers auth/rbac/reconciliation). All at once, so that they are one write to the disk.
 */
export async function bootstrapRights(collection: FindCollection): Promise<void> {
  const { roles, bindings } = bootstrapNamespaced();
  const keep = (
    plural: string,
    objects: readonly object[],
    complete: (current: ApiObject, own: ApiObject) => Change,
  ) => objects.map((own) => keepObject(collection(...rbac, plural), own as ApiObject, complete));
  await Promise.all([
    ...keep('clusterroles', bootstrapRoles(), completeRole),
    ...keep('clusterrolebindings', bootstrapBindings(), completeBinding),
    ...keep('roles', roles, completeRole),
    ...keep('rolebindings', bindings, completeBinding),
  ]);
}

async function keepObject(
  objects: Collection,
  own: ApiObject,
  complete: (current: ApiObject, own: ApiObject) => Change,
): Promise<void> {
  await ensure(objects, own);
  let isGone = false;
  await objects.storage.change({
    namespace: own.metadata.namespace ?? '',
    name: own.metadata.name ?? '',
    change: (current) => {
      if (current.metadata.annotations?.[updated] === 'false') return { next: current };
      const change = complete(withOwnMarks(current, own), own);
      isGone = 'remove' in change;
      return change;
    },
  });
  if (isGone) await ensure(objects, own);
}

/** With the labels and annotations that it has of itself. */
function withOwnMarks(current: ApiObject, { metadata }: ApiObject): ApiObject {
  const labels = { ...current.metadata.labels, ...metadata.labels };
  const annotations = { ...current.metadata.annotations, ...metadata.annotations };
  const has = (marks: object) => Object.keys(marks).length > 0;
  return {
    ...current,
    metadata: {
      ...current.metadata,
      ...(has(labels) ? { labels } : {}),
      ...(has(annotations) ? { annotations } : {}),
    },
  };
}

/** The rules of a sum are its parts', which may have become more. */
function completeRole(current: ApiObject, own: ApiObject): Change {
  const { rules, aggregationRule } = as<ClusterRole>(current);
  const wanted = as<ClusterRole>(own);
  if (wanted.aggregationRule) {
    const present = aggregationRule?.clusterRoleSelectors ?? [];
    const selectors = wanted.aggregationRule.clusterRoleSelectors ?? [];
    const missing = selectors.filter((each) => !present.some((other) => isDeepStrictEqual(other, each)));
    if (missing.length === 0) return { next: current };
    return { next: { ...current, aggregationRule: { clusterRoleSelectors: [...present, ...missing] } } };
  }
  const missing = uncoveredRules(rules ?? [], wanted.rules ?? []);
  return { next: missing.length === 0 ? current : { ...current, rules: [...(rules ?? []), ...missing] } };
}

/** A binding to another role than its own is made anew: what it leads to does not change. */
function completeBinding(current: ApiObject, own: ApiObject): Change {
  const { roleRef, subjects = [] } = as<ClusterRoleBinding>(current);
  const wanted = as<ClusterRoleBinding>(own);
  if (roleRef.kind !== wanted.roleRef.kind || roleRef.name !== wanted.roleRef.name)
    return { remove: current };
  const missing = (wanted.subjects ?? []).filter(
    (each) => !subjects.some((other) => isSameSubject(other, each)),
  );
  return { next: missing.length === 0 ? current : { ...current, subjects: [...subjects, ...missing] } };
}

const isSameSubject = (one: Subject, other: Subject) =>
  one.kind === other.kind && one.name === other.name && (one.namespace ?? '') === (other.namespace ?? '');
