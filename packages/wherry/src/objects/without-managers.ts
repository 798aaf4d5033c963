import type { KubeObject } from '@wherry/client';

/** An object as it is shown unless somebody asks who manages which field. */
export function withoutManagers<T extends KubeObject>(object: T): T {
  const metadata = { ...object.metadata, managedFields: undefined };
  return { ...object, metadata };
}
