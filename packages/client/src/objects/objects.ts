import type { ListMeta, ObjectMeta } from '@wherry/kubeapi/objects';

/** Any API object. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** One page of a list. */
export interface KubeList<T> {
  apiVersion?: string;
  kind?: string;
  metadata?: ListMeta;
  items: T[];
}

/** Where a kind of object lives in the API; `T` is its TypeScript type. */
export interface ResourceType<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
  /** Never set; ties `T` to the value. */
  readonly object?: T;
}
