import {
  badRequest,
  formatApiVersion,
  invalid,
  isJsonObject,
  type JsonObject,
  type LabelSelector,
  matcherFrom,
  validateCreate,
} from '@wherry/kubeapi';
import { sendObject } from '../http/responder.ts';
import { type ApiObject, copyOf } from '../registry/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { Handler } from '../registry/handler.ts';
import { type Patch, patchValue, readPatch } from '../registry/patches.ts';
import type { ResourceRequest } from '../registry/request.ts';
import { readObject } from '../registry/request-object.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { readWriteOptions } from '../registry/write-options.ts';
import { changeObject, patchObject } from '../registry/writes.ts';
import { answer } from './answers.ts';

const gvk = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** `RESOURCE/NAME/scale`: how many replicas, for clients that know no more of a kind (autoscaling/v1 Scale). */
export function scaleHandler(owner: Collection): Handler {
  return {
    verbs: ['get', 'patch', 'update'],
    async serve(request, wire) {
      const { namespace, name, verb } = request.info;
      const snapshot =
        verb === 'get'
          ? await owner.storage.get({ namespace, name })
          : verb === 'update'
            ? await replaceScale(owner, request)
            : await patchScale(owner, request);
      sendObject(scaleOf(snapshot.object), answer(request, wire.response(), 200));
    },
  };
}

async function replaceScale(owner: Collection, request: ResourceRequest): Promise<Snapshot> {
  const { dryRun, fieldValidation } = readWriteOptions(request.query, 'UpdateOptions');
  const scale = await readObject(request, gvk, fieldValidation);
  return changeObject(owner, request, { dryRun, next: (current) => scaled(current, scale, request) });
}

async function patchScale(owner: Collection, request: ResourceRequest): Promise<Snapshot> {
  const options = readWriteOptions(request.query, 'PatchOptions');
  const patch = await readPatch(request);
  if (patch.type === 'apply') {
    const { namespace, name } = request.info;
    await owner.storage.get({ namespace, name });
    return (await patchObject(owner, request, ownerPatch(patch, owner, request))).snapshot;
  }
  const next = (current: ApiObject) => {
    const scale = patchValue(scaleOf(current), patch, { gvk, request, options });
    return scaled(current, scale, request);
  };
  return changeObject(owner, request, { dryRun: options.dryRun, next });
}

/** The same configuration, said of the object itself: the field is tracked under the name that it has there. */
function ownerPatch(patch: Patch, { resource }: Collection, { info }: ResourceRequest): Patch {
  if (!isJsonObject(patch.value)) throw badRequest('the configuration is not an object');
  const { apiVersion, kind, metadata, spec } = patch.value;
  if (apiVersion !== 'autoscaling/v1' || kind !== gvk.kind) {
    throw badRequest('the configuration must be a Scale of autoscaling/v1');
  }
  const { group, version, kind: ownKind } = resource.facts;
  const { namespace, name } = info;
  const value: JsonObject = {
    apiVersion: formatApiVersion(group, version),
    kind: ownKind,
    metadata: { ...(isJsonObject(metadata) ? metadata : {}), name, namespace },
    ...(spec === undefined ? {} : { spec }),
  };
  return { ...patch, value };
}

/** The object with what its scale says of it. Throws 400 and 422. */
function scaled(current: ApiObject, scale: ApiObject, { info }: ResourceRequest): ApiObject {
  const { name } = info;
  if (scale.metadata.name && scale.metadata.name !== name) {
    throw badRequest(
      `the name of the object (${scale.metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  const errors = validateCreate(gvk, scale);
  if (errors.length > 0) throw invalid(gvk, name, errors);
  const next = copyOf(current);
  const { uid, resourceVersion } = scale.metadata;
  if (uid) next.metadata.uid = uid;
  if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
  else delete next.metadata.resourceVersion;
  next.spec = { ...next.spec, replicas: scale.spec?.['replicas'] ?? 0 };
  return next;
}

function scaleOf({ metadata, spec, status }: ApiObject): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata;
  return {
    kind: gvk.kind,
    apiVersion: formatApiVersion(gvk.group, gvk.version),
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: { replicas: spec?.['replicas'] ?? 0 },
    status: { replicas: status?.['replicas'] ?? 0, selector: selectorText(spec?.['selector']) },
  };
}

/** Replication controllers select by labels alone. */
function selectorText(selector: unknown): string {
  if (selector === undefined || selector === null) return '';
  const values = Object.values(selector);
  const isPlain = values.every((value) => typeof value === 'string');
  return matcherFrom(
    isPlain ? { matchLabels: selector as Record<string, string> } : (selector as LabelSelector),
  ).toString();
}
