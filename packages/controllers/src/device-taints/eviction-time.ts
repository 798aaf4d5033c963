import type {
  DeviceRequestAllocationResult,
  DeviceTaint,
  Pod,
  ResourceSlice,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';
import { isReservedFor, podDeviceClaims, strangersDeviceClaim, toleratesDeviceTaint } from '@wherry/podrules';
import type { SlicePools } from './slice-pools.ts';

/** What the time depends on: claims by `namespace/name`, and what is told of pools. */
export interface DeviceTaintView {
  claims: ReadonlyMap<string, ResourceV1ResourceClaim>;
  pools: Pick<SlicePools, 'of'>;
}

/**
 * When a pod has to go, in milliseconds since 1970, since a device of its claims has a `NoExecute` taint that they bear no
 * longer; undefined where none has (upstream: devicetainteviction).
 */
export function evictionTimeMs(pod: Pod, { claims, pools }: DeviceTaintView): number | undefined {
  if (!pod.spec?.nodeName) return undefined;
  let earliest: number | undefined;
  for (const { claimName, templateName } of podDeviceClaims(pod)) {
    const claim = claimName ? claims.get(`${pod.metadata.namespace}/${claimName}`) : undefined;
    if (!claim || !isReservedFor(pod, claim)) continue;
    if (templateName !== undefined && strangersDeviceClaim(pod, claim) !== undefined) continue;
    for (const result of claim.status?.allocation?.devices?.results ?? []) {
      for (const taint of evictingTaints(result, pools.of(result.driver, result.pool))) {
        const atMs = timeMs(taint, result);
        if (atMs !== undefined && (earliest === undefined || atMs < earliest)) earliest = atMs;
      }
    }
  }
  return earliest;
}

/** Of the device as its pool tells of it now: what older generations said counts no more. */
function evictingTaints(
  { device }: DeviceRequestAllocationResult,
  slices: Iterable<ResourceSlice>,
): DeviceTaint[] {
  let newest = Number.NEGATIVE_INFINITY;
  let taints: DeviceTaint[] = [];
  for (const { spec } of slices) {
    const { generation } = spec.pool;
    if (generation > newest) taints = [];
    newest = Math.max(newest, generation);
    if (generation < newest) continue;
    const found = spec.devices?.find(({ name }) => name === device);
    if (found) taints = (found.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  }
  return taints;
}

/** Undefined where the claim bears the taint for ever. */
function timeMs(taint: DeviceTaint, { tolerations = [] }: DeviceRequestAllocationResult): number | undefined {
  const bearing = tolerations.filter(
    (each) => each.effect === 'NoExecute' && toleratesDeviceTaint(each, taint),
  );
  if (bearing.some(({ tolerationSeconds }) => tolerationSeconds === undefined)) return undefined;
  const seconds = bearing.map(({ tolerationSeconds = 0 }) => Math.max(0, tolerationSeconds));
  const addedMs = Date.parse(taint.timeAdded ?? '') || 0;
  return addedMs + 1000 * (seconds.length > 0 ? Math.min(...seconds) : 0);
}
