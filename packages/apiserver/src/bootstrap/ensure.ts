import { hasReason } from '@wherry/kubeapi';
import { groups, userInfo } from '../authentication/identity.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { WriteContext } from '../requests/request.ts';

/** Finds a stored resource. */
export type FindCollection = (group: string, version: string, plural: string) => Collection;

const self = userInfo('system:apiserver', [groups.masters, groups.authenticated]);

/** Makes an object where there is none of that name; another server may do so at the same time. */
export async function ensure(collection: Collection, object: ApiObject): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  if (await collection.storage.find({ namespace, name })) return;
  try {
    await collection.create(object, contextOf(collection, namespace, name));
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

function contextOf({ resource }: Collection, namespace: string, name: string): WriteContext {
  const { group, version, plural } = resource.facts;
  const info = {
    ...{ isResource: true, path: '', verb: 'create', group, version, resource: plural },
    ...{ subresource: '', tail: '', namespace, isInNamespace: namespace !== '', name },
    selectedName: '',
  };
  return { user: self, info };
}
