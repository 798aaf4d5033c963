/** Group, version and kind, and how kustomize selects, sorts and names by them. */
import { clusterScopedKinds } from '../generated/kinds.ts';

/** Empty parts of a selector select anything. */
export interface Gvk {
  group: string;
  version: string;
  kind: string;
}

const clusterScoped: ReadonlySet<string> = new Set(clusterScopedKinds);

export function parseApiVersion(apiVersion: string): Pick<Gvk, 'group' | 'version'> {
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

export const apiVersionOf = ({ group, version }: Gvk): string =>
  group === '' ? version : `${group}/${version}`;

/** True for kinds of Kubernetes' own that are known to be in no namespace. */
export const isClusterScoped = (gvk: Gvk): boolean => clusterScoped.has(`${apiVersionOf(gvk)}/${gvk.kind}`);

export const sameGvk = (one: Gvk, other: Gvk): boolean =>
  one.group === other.group && one.version === other.version && one.kind === other.kind;

export const isSelected = (gvk: Gvk, selector: Partial<Gvk>): boolean =>
  (!selector.group || selector.group === gvk.group) &&
  (!selector.version || selector.version === gvk.version) &&
  (!selector.kind || selector.kind === gvk.kind);

/** `Deployment.v1.apps`, as messages have it. */
export const gvkText = ({ group, version, kind }: Gvk): string =>
  [kind || '[noKind]', version || '[noVer]', group || '[noGrp]'].join('.');

const sortText = ({ group, version, kind }: Gvk): string =>
  [group || '~G', version || '~V', kind || '~K'].join('_');

/** Kinds that come first, and last, when objects are sorted. */
export interface KindOrder {
  first: readonly string[];
  last: readonly string[];
}

export const standardOrder: KindOrder = {
  first: [
    ...['Namespace', 'ResourceQuota', 'StorageClass', 'CustomResourceDefinition', 'ServiceAccount'],
    ...['PodSecurityPolicy', 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding', 'ConfigMap'],
    ...['Secret', 'Endpoints', 'Service', 'LimitRange', 'PriorityClass', 'PersistentVolume'],
    ...['PersistentVolumeClaim', 'Deployment', 'StatefulSet', 'CronJob', 'PodDisruptionBudget'],
  ],
  last: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
};

/** Negative where `one` comes first. */
export function compareGvks(one: Gvk, other: Gvk, order: KindOrder = standardOrder): number {
  const difference = rank(one.kind, order) - rank(other.kind, order);
  if (difference !== 0) return difference;
  const [left, right] = [sortText(one), sortText(other)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function rank(kind: string, { first, last }: KindOrder): number {
  const behind = last.lastIndexOf(kind);
  if (behind >= 0) return 1 + behind;
  const ahead = first.lastIndexOf(kind);
  return ahead < 0 ? 0 : ahead - first.length;
}
