import type { KubeObject } from '@wherry/client';

/** An object as it is shown unless somebody asks who manages which field. */
export function withoutManagers(object: KubeObject): KubeObject {
  const metadata = { ...object.metadata, managedFields: undefined };
  return { ...object, metadata };
}
