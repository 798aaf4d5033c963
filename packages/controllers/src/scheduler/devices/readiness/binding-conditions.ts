import type { DeviceRequestAllocationResult, ResourceV1ResourceClaim } from '@wherry/kubeapi/objects';

/** How far a claim's devices are with what they need before a pod may have them (upstream: isClaimReadyForBinding). */
export interface Readiness {
  isReady: boolean;
  /** Why they never will be. */
  failure?: string;
}

/** Whether a claim has devices that are made ready after they were chosen. */
export const hasBindingConditions = ({ status }: ResourceV1ResourceClaim): boolean =>
  (status?.allocation?.devices?.results ?? []).some(isMadeReady);

const isMadeReady = ({ bindingConditions = [] }: DeviceRequestAllocationResult) =>
  bindingConditions.length > 0;

/** What drivers say of a claim's devices: the first that is not ready decides. */
export function readinessOf(claim: ResourceV1ResourceClaim): Readiness {
  const { allocation } = claim.status ?? {};
  if (!allocation) return { isReady: false };
  for (const result of (allocation.devices?.results ?? []).filter(isMadeReady)) {
    const conditions = conditionsOf(claim, result);
    const failed = (result.bindingFailureConditions ?? []).find((type) => isTrue(conditions, type));
    if (failed !== undefined) {
      const { reason = '', message = '' } = conditions.find(({ type }) => type === failed)!;
      const said = `reason=${reason}, message=${JSON.stringify(message)}`;
      return { isReady: false, failure: `device binding failed: claim=${claim.metadata.name}, ${said}` };
    }
    if (!result.bindingConditions!.every((type) => isTrue(conditions, type))) return { isReady: false };
  }
  return { isReady: true };
}

type Conditions = readonly { type?: string; status?: string; reason?: string; message?: string }[];

function conditionsOf(
  { status }: ResourceV1ResourceClaim,
  { driver, pool, device }: DeviceRequestAllocationResult,
): Conditions {
  const told = status?.devices?.find(
    (each) => each.driver === driver && each.pool === pool && each.device === device,
  );
  return told?.conditions ?? [];
}

const isTrue = (conditions: Conditions, wanted: string): boolean =>
  conditions.some(({ type, status }) => type === wanted && status === 'True');
