import {
  type Binding,
  badRequest,
  builtInType,
  conflict,
  invalid,
  notSupported,
  type Pod,
} from '@wherry/kubeapi';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readObject, settleNamespace } from '../requests/request-object.ts';
import { type OptionsKind, readWriteOptions } from '../requests/write-options.ts';
import { withPodCondition } from './pod-conditions.ts';

const bindingKind = { group: '', version: 'v1', kind: 'Binding' };
const optionsKind: OptionsKind = 'CreateOptions';

/** POST of `pods/NAME/binding`, and of `bindings`: puts a pod on a node, once. */
export async function bindPod(pods: Collection, request: ResourceRequest): Promise<void> {
  const options = readWriteOptions(request.query, optionsKind);
  const type = builtInType(bindingKind);
  const binding = await readObject(request, type, options.fieldValidation);
  settleNamespace(binding, request, true);
  const name = request.info.name || (binding.metadata.name ?? '');
  if (request.info.name && binding.metadata.name !== name)
    throw badRequest('name in URL does not match name in Binding object');
  await pods.admission.pass(request, { operation: 'CREATE', type, object: binding, dryRun: options.dryRun });
  const target = targetOf(as<Binding>(binding));
  const { object } = await pods.storage.change({
    namespace: request.info.namespace,
    name,
    dryRun: options.dryRun,
    preconditions: preconditionsOf(binding),
    change: (pod) => ({ next: assigned(pod, { target, binding, nowText: pods.nowText() }) }),
  });
  if (!options.dryRun) request.onWritten?.(object);
}

/** Which pod is meant, and in which state. */
function preconditionsOf({ metadata: { uid, resourceVersion } }: ApiObject) {
  return { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
}

function targetOf({ target, metadata }: Binding): string {
  const errors = [];
  if (target?.kind && target.kind !== 'Node') {
    errors.push(notSupported('target.kind', target.kind, ['Node', '<empty>']));
  }
  if (!target?.name)
    errors.push({ type: 'FieldValueRequired' as const, field: 'target.name', body: 'Required value' });
  if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, metadata?.name ?? '', errors);
  return target!.name!;
}

/** The pod with its node; no new generation of it, as upstream has it. */
function assigned(
  object: ApiObject,
  { target, binding, nowText }: { target: string; binding: ApiObject; nowText: string },
): ApiObject {
  const pod = as<Pod>(object);
  const refuse = (why: string) =>
    conflict({ group: '', resource: 'pods/binding' }, object.metadata.name ?? '', why);
  if (object.metadata.deletionTimestamp)
    throw refuse(`pod ${object.metadata.name} is being deleted, cannot be assigned to a host`);
  if (pod.spec?.nodeName)
    throw refuse(`pod ${object.metadata.name} is already assigned to node "${pod.spec.nodeName}"`);
  if (pod.spec?.schedulingGates?.length)
    throw refuse(`pod ${object.metadata.name} has non-empty .spec.schedulingGates`);
  object.spec = { ...object.spec, nodeName: target };
  const { annotations, labels } = binding.metadata;
  if (annotations) object.metadata.annotations = { ...object.metadata.annotations, ...annotations };
  if (labels) object.metadata.labels = { ...object.metadata.labels, ...labels };
  const conditions = withPodCondition(pod, { type: 'PodScheduled', status: 'True' }, nowText);
  const { nominatedNodeName: _, ...status } = object.status ?? {};
  object.status = { ...status, conditions: conditions as never };
  return object;
}
