import { conflict, type DeleteOptions, hasReason, notFound } from '@wherry/kubeapi';
import type { AdmissionView } from '../admission/admission.ts';
import { Settlement } from '../admission/chain.ts';
import { type ApiObject, copyOf } from '../objects/api-object.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { checkName, readObject, settleNamespace } from '../requests/request-object.ts';
import { readDeleteOptions, readWriteOptions } from '../requests/write-options.ts';
import { type Collection, type CreateSettings, withFewerManagers } from './collection.ts';
import { checkDeletable, deletionOf } from './deletion.ts';
import { managerName } from './field-managers.ts';
import { applyPatch, type Patch } from './patches.ts';

/** What a write leads to. */
export interface Written {
  code: 200 | 201;
  snapshot: Snapshot;
}

/** POST. */
export async function createObject(collection: Collection, request: ResourceRequest): Promise<Written> {
  const options = readWriteOptions(request.query, 'CreateOptions');
  const object = await readObject(request, collection.resource.type, options.fieldValidation);
  settleNamespace(object, request, collection.resource.facts.namespaced);
  const snapshot = await collection.create(object, request, { ...options, manager: managerName(request) });
  if (!options.dryRun) request.onWritten?.(snapshot.object);
  return { code: 201, snapshot };
}

/** PUT, also of `status`. */
export async function replaceObject(collection: Collection, request: ResourceRequest): Promise<Written> {
  const options = readWriteOptions(request.query, 'UpdateOptions');
  const object = await readObject(request, collection.resource.type, options.fieldValidation);
  settleNamespace(object, request, collection.resource.facts.namespaced);
  checkName(object, request);
  const next = () => copyOf(object);
  if (collection.resource.strategy.createsOnUpdate && request.info.subresource === '') {
    const make = () => {
      const made = next();
      const { uid } = made.metadata;
      // Who changes an object that has gone since must not make another one in its place.
      if (uid) throw collection.storage.otherUid(made.metadata, uid);
      delete made.metadata.resourceVersion;
      return made;
    };
    const settings = { ...options, manager: managerName(request) };
    const created = await createMissing(collection, request, { make, settings });
    if (created) return created;
  }
  const snapshot = await changeObject(collection, request, { dryRun: options.dryRun, next });
  return { code: 200, snapshot };
}

/** PATCH, also of `status`. */
export async function patchObject(
  collection: Collection,
  request: ResourceRequest,
  patch: Patch,
): Promise<Written> {
  const options = readWriteOptions(request.query, 'PatchOptions');
  const isApply = patch.type === 'apply';
  const next = async (current: ApiObject | undefined) => {
    const patched = await applyPatch(current, patch, { collection, request, options });
    if (!current) refuseIdentity(patched, request, collection);
    settleNamespace(patched, request, collection.resource.facts.namespaced);
    checkName(patched, request);
    return patched;
  };
  if (isApply && request.info.subresource === '') {
    const make = () => next(undefined);
    const created = await createMissing(collection, request, { make, settings: { ...options, isApply } });
    if (created) return created;
  }
  const { dryRun } = options;
  return { code: 200, snapshot: await changeObject(collection, request, { dryRun, isApply, next }) };
}

/** Creates what is not there. Undefined where it is, or somebody else was faster: then the write is a change. */
async function createMissing(
  collection: Collection,
  request: ResourceRequest,
  { make, settings }: { make(): ApiObject | Promise<ApiObject>; settings: CreateSettings },
): Promise<Written | undefined> {
  const { namespace, name } = request.info;
  if (await collection.storage.find({ namespace, name })) return undefined;
  try {
    return { code: 201, snapshot: await collection.create(await make(), request, settings) };
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return undefined;
    throw error;
  }
}

/** 409 for a configuration that is about one object alone, which is gone. */
function refuseIdentity(
  { metadata: { uid } }: ApiObject,
  { info }: ResourceRequest,
  { storage }: Collection,
): void {
  if (!uid) return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(storage.ref, info.name, why);
}

/** Changes an object by `next`, with all the checks of an update. */
export async function changeObject(
  collection: Collection,
  request: ResourceRequest,
  options: {
    dryRun: boolean;
    isApply?: boolean;
    view?: AdmissionView | undefined;
    next(current: ApiObject): ApiObject | Promise<ApiObject>;
  },
): Promise<Snapshot> {
  const { dryRun, isApply = false, view } = options;
  const manager = managerName(request);
  const { namespace, name } = request.info;
  const settlement = new Settlement();
  // Of an attempt that somebody else's write has overtaken nothing is left.
  const overtaken = () => settlement.settle();
  const { signal } = request;
  const write = (withoutManagers: boolean) => {
    settlement.settle();
    const change = async (current: ApiObject) => {
      const previous = copyOf(current);
      const settings = { request, dryRun, previous, manager, isApply, withoutManagers, view, settlement };
      return collection.update(current, await options.next(current), settings);
    };
    return collection.storage.change({ namespace, name, dryRun, change, overtaken, signal });
  };
  try {
    return await withFewerManagers({ isApply }, write);
  } finally {
    settlement.settle();
  }
}

/** DELETE of one object. `removed` = it is gone, not only on its way. */
export async function deleteObject(
  collection: Collection,
  request: ResourceRequest,
): Promise<{ snapshot: Snapshot; removed: boolean; code: 200 | 202 }> {
  const options = await readDeletion(collection, request);
  const deleted = await deleteNamed(collection, request, { name: request.info.name, options });
  // As upstream, whose older clients know 200 alone of what is on its way.
  const code = !deleted.removed && options.orphanDependents === false ? 202 : 200;
  return { ...deleted, code };
}

/** How to delete, of one object or many; who leaves dependents behind without saying so is told. */
export async function readDeletion(collection: Collection, request: ResourceRequest): Promise<DeleteOptions> {
  const options = await readDeleteOptions(request);
  const { undecidedDeletionWarning: text } = collection.resource.strategy;
  const isDecided = options.propagationPolicy !== undefined || options.orphanDependents !== undefined;
  if (text !== undefined && !isDecided) request.warnings?.push(text);
  return options;
}

/** Which object to delete, and how. */
export interface Deletion {
  name: string;
  /** Default: the request's. */
  namespace?: string;
  options: DeleteOptions;
  /** Admission has let it through as something else. */
  isAdmitted?: boolean;
  /** It is one of many: admission is told no name, as upstream. */
  isOneOfMany?: boolean;
}

/** Deletes one object. */
export async function deleteNamed(
  collection: Collection,
  request: ResourceRequest,
  { name, namespace = request.info.namespace, options, isAdmitted = false, isOneOfMany = false }: Deletion,
): Promise<{ snapshot: Snapshot; removed: boolean }> {
  const { storage, resource, admission } = collection;
  const { strategy } = resource;
  const dryRun = (options.dryRun ?? []).length > 0;
  const how = { ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };
  const { facts, type } = resource;
  const asked = {
    operation: 'DELETE',
    resource: facts,
    type,
    name: isOneOfMany ? '' : name,
    namespace,
    options: how,
    dryRun,
  } as const;
  let removed = false;
  if (!name) throw notFound(storage.ref, name);
  const settlement = new Settlement();
  const change = async (current: ApiObject) => {
    checkDeletable(current, options, facts);
    if (!isAdmitted) await admission.judge(request, { ...asked, previous: current }, settlement);
    const deletion = deletionOf(current, options, { strategy, nowMs: collection.clock.nowMs() });
    removed = 'remove' in deletion;
    return removed ? { ...deletion, alongside: settlement.alongside } : deletion;
  };
  const overtaken = () => settlement.settle();
  const { signal } = request;
  try {
    const deletion = { namespace, name, dryRun, isDeletion: true, change, overtaken, signal };
    return { snapshot: await storage.change(deletion), removed };
  } finally {
    settlement.settle();
  }
}
