import { builtInType, formatApiVersion, invalid, type JsonObject, validateCreate } from '@wherry/kubeapi';
import type { AdmissionView } from '../admission/admission.ts';
import { type ApiObject, as, copyOf } from '../objects/api-object.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { Collection } from '../registry/collection.ts';
import type { Handler } from '../registry/handler.ts';
import { applyPatch, type Patch, patchValue, readPatch } from '../registry/patches.ts';
import { changeObject } from '../registry/writes.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { checkName, readObject, settleNamespace } from '../requests/request-object.ts';
import { readWriteOptions, type WriteOptions } from '../requests/write-options.ts';
import { sendTyped } from '../responses/responder.ts';
import { shapedAnswer } from './answers.ts';
import { numberAt, replicasOf, type ScaleFields, setAt, workloadScale } from './scale-fields.ts';
import { managersOfScale, managersOfScaled } from './scale-managers.ts';

const gvk = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** What a scale is of. */
interface Scaled {
  owner: Collection;
  fields: ScaleFields;
}

/** `RESOURCE/NAME/scale`: how many replicas, for clients that know no more of a kind (autoscaling/v1 Scale). */
export function scaleHandler(owner: Collection, fields: ScaleFields = workloadScale): Handler {
  return {
    verbs: ['get', 'patch', 'update'],
    async serve(request, wire) {
      const { namespace, name, verb } = request.info;
      const snapshot =
        verb === 'get'
          ? await owner.storage.get({ namespace, name })
          : verb === 'update'
            ? await replaceScale({ owner, fields }, request)
            : await patchScale({ owner, fields }, request);
      const object = scaleOf(snapshot.object, fields);
      const how = shapedAnswer(request, wire.response(), { code: 200, nowMs: owner.clock.nowMs() });
      sendTyped({ object, type: builtInType(gvk) }, how);
    },
  };
}

async function replaceScale({ owner, fields }: Scaled, request: ResourceRequest): Promise<Snapshot> {
  const { dryRun, fieldValidation } = readWriteOptions(request.query, 'UpdateOptions');
  const scale = await readObject(request, builtInType(gvk), fieldValidation);
  settleNamespace(scale, request, owner.resource.facts.namespaced);
  const next = (current: ApiObject) => scaled(current, scale, { request, fields });
  return changeObject(owner, request, { dryRun, view: viewOf(fields), next });
}

async function patchScale({ owner, fields }: Scaled, request: ResourceRequest): Promise<Snapshot> {
  const options = readWriteOptions(request.query, 'PatchOptions');
  // Of custom resources not even this one is merged by keys.
  const { schema } = owner.resource.type;
  const patch = await readPatch(request, schema ? builtInType(gvk) : { schema });
  if (patch.type === 'apply') return applyScale({ owner, fields }, request, { patch, options });
  const next = (current: ApiObject) => {
    const scale = patchValue(scaleBefore(current, fields), patch, {
      type: builtInType(gvk),
      request,
      options,
    });
    return scaled(current, scale, { request, fields });
  };
  return changeObject(owner, request, { dryRun: options.dryRun, view: viewOf(fields), next });
}

/** An apply of the scale alone: whatever else it says is no field of what is scaled. */
function applyScale(
  { owner, fields }: Scaled,
  request: ResourceRequest,
  { patch, options }: { patch: Patch; options: WriteOptions },
): Promise<Snapshot> {
  const { facts } = owner.resource;
  const resource = {
    ...owner.resource,
    facts: { ...facts, ...gvk, subresources: [] },
    type: builtInType(gvk),
  };
  const collection = { resource: { ...resource, strategy: {}, conversion: undefined }, clock: owner.clock };
  const next = async (current: ApiObject) => {
    const before = scaleBefore(current, fields);
    const managers = current.metadata.managedFields ?? [];
    before.metadata.managedFields = managersOfScale(managers, fields.replicas);
    const scale = await applyPatch(before, patch, { collection, request, options });
    settleNamespace(scale, request, facts.namespaced);
    const changed = scaled(current, scale, { request, fields });
    changed.metadata.managedFields = managersOfScaled(managers, scale.metadata.managedFields ?? [], {
      path: fields.replicas,
      apiVersion: formatApiVersion(facts.group, facts.version),
    });
    return changed;
  };
  return changeObject(owner, request, { dryRun: options.dryRun, isApply: true, view: viewOf(fields), next });
}

/** The object with what its scale says of it. Throws 400 and 422. */
function scaled(
  current: ApiObject,
  scale: ApiObject,
  { request, fields }: { request: ResourceRequest; fields: ScaleFields },
): ApiObject {
  const { name } = request.info;
  checkName(scale, request);
  const errors = validateCreate(gvk, scale);
  if (errors.length > 0) throw invalid(gvk, name, errors);
  const next = copyOf(current);
  const { uid, resourceVersion } = scale.metadata;
  if (uid) next.metadata.uid = uid;
  if (resourceVersion) next.metadata.resourceVersion = resourceVersion;
  setAt(as<JsonObject>(next), fields.replicas, scale.spec?.['replicas'] ?? 0);
  return next;
}

/** Webhooks get to see the scale, and may change what it asks for. */
function viewOf(fields: ScaleFields): AdmissionView {
  return {
    type: builtInType(gvk),
    of: (object) => scaleBefore(object, fields),
    into: (object, { spec }) => setAt(as<JsonObject>(object), fields.replicas, spec?.['replicas'] ?? 0),
  };
}

/** What a scale is changed from: where the kind needs a number that is not there, none is wanted yet. */
function scaleBefore(object: ApiObject, fields: ScaleFields): ApiObject {
  return scaleOf(object, { ...fields, needsReplicas: false });
}

function scaleOf(object: ApiObject, fields: ScaleFields): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = fields.selector(object);
  const replicas = replicasOf(object, fields);
  return {
    kind: gvk.kind,
    apiVersion: formatApiVersion(gvk.group, gvk.version),
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    // As upstream, which leaves a nought out.
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, fields.statusReplicas) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}
