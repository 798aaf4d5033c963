import type { KubeObject } from '@wherry/client';

/** What has to be done to an object; a binding that is of another role is made anew. */
export type Operation = 'create' | 'update' | 'recreate' | 'none';

/** What an object is to become, and how it differs from what there is. */
export interface Plan<T extends KubeObject> {
  operation: Operation;
  object: T;
  /** The object that is there wants to be left as it is. */
  isProtected: boolean;
  /** Rules or subjects that are not there, in words. */
  missing: readonly string[];
  /** Those that are not wanted. */
  extra: readonly string[];
}

/** How the objects of one kind are reconciled. */
export interface Reconciler<T extends KubeObject> {
  /** Rules or subjects. */
  parts: 'rules' | 'subjects';
  /** What is wanted of what is not there. */
  planNew(expected: T): Plan<T>;
  planChange(existing: T, expected: T): Plan<T>;
}

/** True for an object that says so itself. */
export const isLeftAlone = ({ metadata }: KubeObject): boolean =>
  metadata?.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] === 'false';

/** The object with those labels and annotations of another that it does not have. */
export function withTheirMetadata<T extends KubeObject>(
  existing: T,
  expected: T,
): { object: T; isChanged: boolean } {
  const object = { ...existing, metadata: { ...existing.metadata } };
  let isChanged = false;
  for (const field of ['labels', 'annotations'] as const) {
    const present = existing.metadata?.[field];
    const wanted = expected.metadata?.[field] ?? {};
    if (Object.keys(wanted).every((key) => present && Object.hasOwn(present, key))) continue;
    object.metadata[field] = { ...wanted, ...present };
    isChanged = true;
  }
  return { object, isChanged };
}
