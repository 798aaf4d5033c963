import { copyJson, type JsonObject, type ObjectMeta, type TypeMeta } from '@wherry/kubeapi';

/** Any API object in memory: its JSON form, with metadata. */
export interface ApiObject extends TypeMeta {
  metadata: ObjectMeta;
  spec?: JsonObject;
  status?: JsonObject;
  [field: string]: unknown;
}

/** The same object under the type of its kind; the caller vouches for the kind. */
export function as<T>(object: ApiObject): T {
  return object as unknown as T;
}

/** A copy that shares nothing. */
export function copyOf(object: ApiObject): ApiObject {
  return copyJson(object);
}
