import { isDeepStrictEqual } from 'node:util';
import { ownValue, type PodCondition, type PodStatus, setOwn } from '@wherry/kubeapi';
import { ownedConditionTypes } from './conditions.ts';

type Json = Record<string, unknown>;

/** Lists of the status that a strategic merge joins by a key instead of replacing them. */
const mergedLists: ReadonlyMap<string, string> = new Map([
  ['podIPs', 'ip'],
  ['hostIPs', 'ip'],
]);
/** Fields that others write; the kubelet leaves them alone. */
const foreignFields = new Set([
  'resourceClaimStatuses',
  'extendedResourceClaimStatus',
  'nodeAllocatableResourceClaimStatuses',
  'nominatedNodeName',
  'resize',
]);

/**
 * The strategic merge patch that makes `stored` into `desired`, leaving conditions and fields of others as they are;
 * undefined when nothing differs. The UID in it makes the server refuse a pod of the same name that came later.
 */
export function statusPatch(
  uid: string,
  stored: PodStatus | undefined,
  desired: PodStatus,
): Json | undefined {
  const before = (stored ?? {}) as Json;
  const after = desired as Json;
  const status: Json = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (name === 'conditions' || foreignFields.has(name)) continue;
    const [old, value] = [ownValue(before, name), ownValue(after, name)];
    if (!isDeepStrictEqual(old, value)) {
      setOwn(status, name, value === undefined ? null : fieldPatch(name, old, value));
    }
  }
  const conditions = conditionsPatch(stored?.conditions ?? [], desired.conditions ?? []);
  if (conditions.length > 0) status['conditions'] = conditions;
  if (Object.keys(status).length === 0) return undefined;
  return { metadata: { uid }, status };
}

function fieldPatch(name: string, before: unknown, after: unknown): unknown {
  const key = mergedLists.get(name);
  if (!key || !Array.isArray(before) || !Array.isArray(after) || before.length === 0) return after;
  return [{ $patch: 'replace' }, ...after];
}

function conditionsPatch(before: readonly PodCondition[], after: readonly PodCondition[]): Json[] {
  const changed = after.filter((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    return !old || !isDeepStrictEqual(comparable(old), comparable(condition));
  });
  const gone = before.filter(
    ({ type }) => ownedConditionTypes.has(type) && !after.some((condition) => condition.type === type),
  );
  return [
    ...changed.map((condition) => ({ reason: null, message: null, ...condition }) as Json),
    ...gone.map(({ type }) => ({ $patch: 'delete', type })),
  ];
}

function comparable({ lastProbeTime: _ignored, ...rest }: PodCondition): Json {
  return rest as Json;
}
