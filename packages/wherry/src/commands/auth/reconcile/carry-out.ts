import { type KubeClient, type KubeObject, kinds } from '@wherry/client';
import { hasReason, StatusError, type StatusReason } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import type { NamedObject } from '../../../objects/targets.ts';
import type { Plan, Reconciler } from './plan.ts';

/** An object that is wanted. */
export interface Wanted<T extends KubeObject> extends NamedObject {
  object: T;
}

/** How often what others do at the same time is looked at anew. */
const looksMax = 3;

/** Does what is to be done to an object, unless it is protected or `isDry`, and tells what it was. */
export async function reconcile<T extends KubeObject>(
  client: KubeClient,
  wanted: Wanted<T>,
  { reconciler, isDry }: { reconciler: Reconciler<T>; isDry: boolean },
): Promise<Plan<T>> {
  for (let looks = 1; ; looks += 1) {
    const existing = await found(client, wanted);
    const plan = existing
      ? reconciler.planChange(existing, wanted.object)
      : reconciler.planNew(wanted.object);
    if (plan.isProtected || isDry) return plan;
    const done = await carryOut(client, wanted, { plan, existing });
    if (!(done instanceof StatusError)) return { ...plan, object: done };
    if (looks < looksMax) continue;
    throw done.reason === 'Conflict' ? done : new CommandError('exceeded maximum attempts');
  }
}

async function found<T extends KubeObject>(client: KubeClient, { resource, ...key }: Wanted<T>) {
  try {
    return (await client.resource<KubeObject>(resource).get(key)) as T;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** The object as it is then; or what the server said where somebody else was quicker. */
async function carryOut<T extends KubeObject>(
  client: KubeClient,
  { resource, namespace, name }: Wanted<T>,
  { plan: { operation, object }, existing }: { plan: Plan<T>; existing: T | undefined },
): Promise<T | StatusError> {
  const objects = client.resource<KubeObject>(resource);
  if (operation === 'none') return object;
  if (operation === 'update')
    return (await unless(objects.update(object, { namespace }), ['NotFound', 'Conflict'])) as T;
  if (operation === 'recreate') {
    const preconditions = { uid: existing?.metadata?.uid ?? '' };
    const gone = await unless(objects.delete({ name, namespace }, { preconditions }), [
      'NotFound',
      'Conflict',
    ]);
    if (hasReason(gone, 'Conflict')) return gone;
  }
  if (namespace !== undefined) await ensureNamespace(client, namespace);
  return (await unless(objects.create(object, { namespace }), ['AlreadyExists'])) as T;
}

async function unless<T>(work: Promise<T>, reasons: readonly StatusReason[]): Promise<T | StatusError> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StatusError && reasons.some((reason) => hasReason(error, reason))) return error;
    throw error;
  }
}

/** Whoever may not look or create leaves it to others to have made it. */
async function ensureNamespace(client: KubeClient, name: string): Promise<void> {
  const namespaces = client.resource(kinds.namespaces);
  const there = await unless(namespaces.get({ name }), ['NotFound', 'Forbidden']);
  if (!(there instanceof StatusError)) return;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await unless(namespaces.create(object), ['AlreadyExists', 'Forbidden']);
}
