import {
  badRequest,
  builtInType,
  type DeleteOptions,
  hasReason,
  invalid,
  invalidValue,
  type Pod,
} from '@wherry/kubeapi';
import { isFinished } from '@wherry/podrules';
import { limits } from '../limits.ts';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import { checkDeletable } from '../registry/deletion.ts';
import { deleteNamed } from '../registry/writes.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readObject, settleNamespace } from '../requests/request-object.ts';
import { checkDeleteOptions, readWriteOptions } from '../requests/write-options.ts';
import { beingProcessed, isOutsideBudgets, takeFromBudget } from './disruption-budgets.ts';
import { withPodCondition } from './pod-conditions.ts';

const evictionKind = { group: 'policy', version: 'v1', kind: 'Eviction' };
/** What clients from before policy/v1 send: the same fields. */
const formerKind = { ...evictionKind, version: 'v1beta1' };

/**
 * POST of `pods/NAME/eviction`: a deletion that disruption budgets may refuse, and that the pod's status tells of.
 * `budgets` is undefined where they are not served.
 */
export async function evictPod(
  pods: Collection,
  budgets: Collection | undefined,
  request: ResourceRequest,
): Promise<void> {
  const writing = readWriteOptions(request.query, 'CreateOptions');
  const type = builtInType(evictionKind);
  const eviction = await readObject(request, type, writing.fieldValidation, formerKind);
  settleNamespace(eviction, request, true);
  if (eviction.metadata.name !== request.info.name)
    throw badRequest('name in URL does not match name in Eviction object');
  await pods.admission.pass(request, { operation: 'CREATE', type, object: eviction, dryRun: writing.dryRun });
  const { options, dryRun } = deletionOptions(eviction, writing.dryRun);
  const evicted = await evictIgnored(pods, request, { options, isFree: !budgets });
  if (evicted || !budgets) return;
  const { namespace, name } = request.info;
  const pod = as<Pod>((await pods.storage.get({ namespace, name })).read());
  const verdict = await takeFromBudget(budgets, pod, { dryRun, nowMs: pods.clock.nowMs() });
  const { resourceVersion = '', uid = '' } = pod.metadata;
  // A pod that has come to serve since then is its budget's again.
  const meant = verdict.isFree
    ? { uid, ...options.preconditions }
    : { ...options.preconditions, resourceVersion };
  try {
    await finish(pods, request, { ...options, preconditions: meant });
  } catch (error) {
    const isOurs = !verdict.isFree && options.preconditions?.resourceVersion === undefined;
    throw isOurs && hasReason(error, 'Conflict') ? beingProcessed(verdict.budget) : error;
  }
}

/** How the pod is to be deleted: a dry run is one, wherever it is asked for. */
function deletionOptions(eviction: ApiObject, isDry: boolean): { options: DeleteOptions; dryRun: boolean } {
  const given = (eviction['deleteOptions'] ?? {}) as DeleteOptions;
  if (given.ignoreStoreReadErrorWithClusterBreakingPotential) {
    const field = 'deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential';
    const detail = 'can not be set for pod eviction, try after removing the option';
    throw invalid(evictionKind, eviction.metadata.name ?? '', [invalidValue(field, true, detail)]);
  }
  checkDeleteOptions(given);
  const dryRun = isDry || (given.dryRun ?? []).length > 0;
  return { options: dryRun ? { ...given, dryRun: ['All'] } : given, dryRun };
}

/**
 * Evicts a pod that budgets have nothing to say of; false when they have. One that waits is told from one that has come to run meanwhile:
 * then all is looked at anew.
 */
async function evictIgnored(
  pods: Collection,
  request: ResourceRequest,
  { options, isFree }: { options: DeleteOptions; isFree: boolean },
): Promise<boolean> {
  const { namespace, name } = request.info;
  const isVersionGiven = options.preconditions?.resourceVersion !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    const pod = as<Pod>((await pods.storage.get({ namespace, name })).read());
    if (!isFree && !isOutsideBudgets(pod)) return false;
    const mayChange = !isFinished(pod) && !pod.metadata.deletionTimestamp && !isVersionGiven && !isFree;
    const { resourceVersion = '' } = pod.metadata;
    const preconditions = { ...options.preconditions, ...(mayChange ? { resourceVersion } : {}) };
    try {
      await finish(pods, request, { ...options, preconditions });
      return true;
    } catch (error) {
      if (!mayChange || attempt >= limits.evictionAttemptsMax || !hasReason(error, 'Conflict')) throw error;
    }
  }
}

/** The pod's status says what it goes of, and then it goes. */
async function finish(pods: Collection, request: ResourceRequest, options: DeleteOptions): Promise<void> {
  const { name } = request.info;
  const version = options.preconditions?.resourceVersion;
  const told = options.dryRun?.length ? version : await tell(pods, request, options);
  const preconditions = { ...options.preconditions, ...(version && told ? { resourceVersion: told } : {}) };
  await deleteNamed(pods, request, { name, options: { ...options, preconditions }, isAdmitted: true });
}

/** The pod's condition says what it goes of (upstream: DisruptionTarget). Answers the version that it has then. */
async function tell(
  pods: Collection,
  { info: { namespace, name } }: ResourceRequest,
  options: DeleteOptions,
): Promise<string | undefined> {
  const told = {
    ...{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' },
    message: 'Eviction API: evicting',
  };
  const { object } = await pods.storage.change({
    ...{ namespace, name },
    change(current) {
      checkDeletable(current, options, pods.resource.facts);
      const conditions = withPodCondition(as<Pod>(current), told, pods.nowText());
      return { next: { ...current, status: { ...current.status, conditions: conditions as never } } };
    },
  });
  return object.metadata.resourceVersion;
}
