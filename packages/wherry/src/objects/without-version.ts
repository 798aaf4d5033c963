import type { KubeObject } from '@wherry/client';

/** An object as it is sent to be made: what was taken from a server once names a version, which servers refuse there. */
export function withoutVersion<T extends KubeObject>(object: T): T {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}
