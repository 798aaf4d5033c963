import type { KubeObject } from '../objects/objects.ts';
import type { ResourceClient } from '../resources/resource-client.ts';

/** What a finalizer is changed by. */
export interface FinalizerOptions {
  signal?: AbortSignal | undefined;
}

/**
 * Puts a finalizer on an object that has not got it, and resolves with the object as it then is. Throws `StatusError` `Conflict`
 * when somebody else has written since `object` was read: look at it again then.
 */
export async function addFinalizer<T extends KubeObject>(
  resource: ResourceClient<T>,
  object: T,
  finalizer: string,
  options: FinalizerOptions = {},
): Promise<T> {
  const present = object.metadata?.finalizers ?? [];
  return present.includes(finalizer) ? object : change(resource, object, [...present, finalizer], options);
}

/** Takes a finalizer off; see {@link addFinalizer}. An object that was deleted and has no other goes. */
export async function removeFinalizer<T extends KubeObject>(
  resource: ResourceClient<T>,
  object: T,
  finalizer: string,
  options: FinalizerOptions = {},
): Promise<T> {
  const present = object.metadata?.finalizers ?? [];
  const left = present.filter((each) => each !== finalizer);
  return left.length === present.length ? object : change(resource, object, left, options);
}

function change<T extends KubeObject>(
  resource: ResourceClient<T>,
  { metadata }: T,
  finalizers: string[],
  { signal }: FinalizerOptions,
): Promise<T> {
  const { name = '', namespace, resourceVersion } = metadata ?? {};
  // A merge patch replaces the whole list: the version keeps it from undoing what others write.
  const patch = { metadata: { resourceVersion, finalizers } };
  return resource.patch({ name, namespace, type: 'merge', patch, signal });
}
