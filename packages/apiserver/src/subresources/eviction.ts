import { badRequest, builtInType, type DeleteOptions, type Pod, tooManyRequests } from '@wherry/kubeapi';
import { as } from '../objects/api-object.ts';
import type { Collection } from '../registry/collection.ts';
import { deleteNamed } from '../registry/writes.ts';
import type { ResourceRequest } from '../requests/request.ts';
import { readObject, settleNamespace } from '../requests/request-object.ts';
import { readWriteOptions } from '../requests/write-options.ts';
import { isOutsideBudgets, takeFromBudget } from './disruption-budgets.ts';

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
  const { name, namespace } = request.info;
  settleNamespace(eviction, request, true);
  if (eviction.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  await pods.admission.pass(request, { operation: 'CREATE', type, object: eviction, dryRun: writing.dryRun });
  const options: DeleteOptions = { ...(eviction['deleteOptions'] as DeleteOptions | undefined) };
  if (writing.dryRun) options.dryRun = ['All'];
  const dryRun = (options.dryRun ?? []).length > 0;
  const pod = as<Pod>((await pods.storage.get({ namespace, name })).read());
  const nowMs = pods.clock.nowMs();
  const isFree = !budgets || isOutsideBudgets(pod);
  const verdict = isFree ? 'free' : await takeFromBudget(budgets, pod, { dryRun, nowMs });
  // A pod that has come to serve since then is its budget's again.
  const { resourceVersion, uid } = pod.metadata;
  const asItIs = { ...options.preconditions, ...(resourceVersion ? { resourceVersion } : {}) };
  const preconditions = verdict === 'asItIs' ? asItIs : { uid, ...options.preconditions };
  try {
    if (!dryRun) await tell(pods, pod, preconditions);
    const { resourceVersion: _told, ...rest } = preconditions;
    await deleteNamed(pods, request, {
      name,
      options: { ...options, preconditions: rest },
      isAdmitted: true,
    });
  } catch (error) {
    const isOurs = verdict === 'asItIs' && options.preconditions?.resourceVersion === undefined;
    if (isOurs && error instanceof Error && 'code' in error && error.code === 409)
      throw tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 10);
    throw error;
  }
}

/** The pod's condition says what it goes of (upstream: DisruptionTarget). */
async function tell(
  pods: Collection,
  { metadata }: Pod,
  preconditions: { uid?: string | undefined; resourceVersion?: string | undefined },
): Promise<void> {
  const { namespace = '', name = '' } = metadata;
  await pods.storage.change({
    ...{ namespace, name, preconditions },
    change(current) {
      const known = as<Pod>(current).status?.conditions ?? [];
      const type = 'DisruptionTarget';
      const reason = 'EvictionByEvictionAPI';
      const told = { type, status: 'True', reason, message: 'Eviction API: evicting' };
      const condition = { ...told, lastTransitionTime: pods.nowText(), lastProbeTime: null };
      const conditions = [...known.filter((each) => each.type !== type), condition];
      return {
        next: { ...current, status: { ...(current.status as object), conditions } } as typeof current,
      };
    },
  });
}
