import type {
  AllocationResult,
  DeviceClass,
  Namespace,
  Node,
  Pod,
  ResourceSlice,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';
import { ownValue, parseQuantity } from '@wherry/kubeapi/objects';
import { canBeReserved, isReservedFor, podDeviceClaims, strangersDeviceClaim } from '@wherry/podrules';
import type { DeviceLedger } from '../cluster/device-ledger.ts';
import { DeviceAllocator } from './allocate-devices.ts';
import { AllocationError } from './allocation-error.ts';
import { allocationResult } from './allocation-result.ts';
import type { DevicePlan } from './device-binder.ts';
import { alternatives, claimText } from './device-choice.ts';
import { selects } from './device-pools.ts';
import { DeviceUse } from './device-use.ts';
import { type ExtendedClaim, extendedClaim, leftoverClaim } from './extended/extended-claim.ts';
import { extendedClasses, extendedRequests } from './extended/extended-requests.ts';
import { readinessOf } from './readiness/binding-conditions.ts';
import { SelectorCache } from './selector-cache.ts';

/** What is known of a cluster's devices, by name or `namespace/name`. */
export interface DeviceView {
  deviceClaims: ReadonlyMap<string, ResourceV1ResourceClaim>;
  deviceClasses: ReadonlyMap<string, DeviceClass>;
  resourceSlices: ReadonlyMap<string, ResourceSlice>;
  namespaces: ReadonlyMap<string, Namespace>;
}

/** A namespace whose claims may ask for devices that others have (upstream: DRAAdminNamespaceLabelKey). */
const adminLabel = 'resource.kubernetes.io/admin-access';

const selectors = new SelectorCache();

/** What is to be known of a pod's devices; undefined where it can't have any. */
export function devicesOf(pod: Pod, view: DeviceView, ledger: DeviceLedger): PodDevices | undefined {
  const extended = extendedClasses(pod, view.deviceClasses);
  const hasClaims = (pod.spec?.resourceClaims ?? []).length > 0;
  return hasClaims || extended.size > 0 ? new PodDevices(pod, { view, ledger, extended }) : undefined;
}

interface Parts {
  view: DeviceView;
  ledger: DeviceLedger;
  /** Extended resources that the pod asks for and device classes stand for, with the names of the classes. */
  extended: ReadonlyMap<string, string>;
}

/**
 * The claims on devices of one pod, and devices that it asks for by the names of extended resources: which nodes they
 * leave to it (upstream: the plug-in DynamicResources).
 */
export class PodDevices {
  readonly #view: DeviceView;
  readonly #ledger: DeviceLedger;
  readonly #pod: Pod;
  readonly #extended: ReadonlyMap<string, string>;
  /** What others have taken, the same for each node. */
  #use: DeviceUse | undefined;
  /** Those that the pod names. */
  readonly claims: readonly ResourceV1ResourceClaim[];
  /** What an attempt that failed made for its extended resources: it has to go first. */
  readonly leftover: ResourceV1ResourceClaim | undefined;
  /** Why no node will do, in upstream's words. */
  readonly message: string | undefined;
  /** Claims that the pod names are not there, or not its own: whoever makes them may be about to. */
  readonly isIncomplete: boolean;

  constructor(pod: Pod, { view, ledger, extended }: Parts) {
    this.#pod = pod;
    this.#view = view;
    this.#ledger = ledger;
    this.#extended = extended;
    this.leftover = extended.size > 0 ? leftoverClaim(pod, view.deviceClaims.values()) : undefined;
    const claims: ResourceV1ResourceClaim[] = [];
    this.message = this.#find(claims);
    this.isIncomplete = this.message !== undefined;
    this.claims = claims;
    this.message ??= claims.map((claim) => this.#obstacle(claim)).find((each) => each !== undefined);
  }

  /** Why the pod can't have its devices on that node. */
  refusal(node: Node): string | undefined {
    if (this.leftover) return 'cannot schedule extended resource claim';
    if (this.claims.some((claim) => this.#isUnusable(claim, node)))
      return 'resourceclaim not available on the node';
    try {
      return this.allocations(node) ? undefined : 'cannot allocate all claims';
    } catch (error) {
      if (!(error instanceof AllocationError)) throw error;
      return error.message;
    }
  }

  /** What the claims without devices would get on the node, by uid; undefined where there is not enough. */
  allocations(node: Node): ReadonlyMap<string, AllocationResult> | undefined {
    return this.plan(node)?.allocations;
  }

  /** What the pod is to have on the node. */
  plan(node: Node): DevicePlan | undefined {
    const extended = this.#extendedOn(node);
    const allocations = this.#allocate(node, extended);
    return allocations && { claims: this.claims, extended, allocations };
  }

  /** The claim for extended resources that no device plug-in brings there; undefined where there is none. */
  #extendedOn(node: Node): ExtendedClaim | undefined {
    const allocatable = node.status?.allocatable ?? {};
    const isMissing = ([resource]: [string, string]) =>
      parseQuantity(ownValue(allocatable, resource) ?? '0').sign() <= 0;
    const missing = new Map([...this.#extended].filter(isMissing));
    return missing.size > 0 ? extendedClaim(this.#pod, extendedRequests(this.#pod, missing)) : undefined;
  }

  #allocate(node: Node, extended: ExtendedClaim | undefined): Map<string, AllocationResult> | undefined {
    const named = this.claims.filter(({ status }) => !status?.allocation);
    const missing = [...named, ...(extended ? [extended.claim] : [])];
    if (missing.length === 0) return new Map();
    const { deviceClasses: classes, resourceSlices: slices } = this.#view;
    this.#use ??= new DeviceUse([...this.#allocated(), ...this.#ledger.pending]);
    const use = this.#use.copy();
    const given = new DeviceAllocator(node, missing, { slices, classes, selectors, use }).allocate();
    if (!given) return undefined;
    const name = node.metadata.name ?? '';
    return new Map(
      missing.map((claim, index) => [claim.metadata.uid ?? '', allocationResult(claim, given[index]!, name)]),
    );
  }

  /** A claim whose devices the pod can't have where it can be, or not any more, and that nobody else needs. */
  misplaced(nodes: readonly Node[]): ResourceV1ResourceClaim | undefined {
    if (this.message !== undefined) return undefined;
    return this.claims.find((claim) => {
      const users = claim.status?.reservedFor ?? [];
      const isOurs = users.every(({ uid }) => uid === this.#pod.metadata.uid);
      return isOurs && nodes.some((node) => this.#isUnusable(claim, node));
    });
  }

  /** Its devices are elsewhere, were not made ready, or were not in time. */
  #isUnusable(claim: ResourceV1ResourceClaim, node: Node): boolean {
    if (!claim.status?.allocation) return false;
    if (isElsewhere(claim, node)) return true;
    const { isReady, failure } = readinessOf(claim);
    return failure !== undefined || (!isReady && this.#ledger.isExpired(claim));
  }

  *#allocated(): Iterable<AllocationResult> {
    for (const known of this.#view.deviceClaims.values()) {
      const { allocation } = this.#ledger.current(known).status ?? {};
      if (allocation) yield allocation;
    }
  }

  #isAdmins(): boolean {
    const namespace = this.#view.namespaces.get(this.#pod.metadata.namespace ?? '');
    return namespace?.metadata.labels?.[adminLabel] === 'true';
  }

  #find(claims: ResourceV1ResourceClaim[]): string | undefined {
    const { namespace, name: podName } = this.#pod.metadata;
    for (const { claimName, templateName } of podDeviceClaims(this.#pod)) {
      if (claimName === null) continue;
      if (claimName === undefined) return `pod "${namespace}/${podName}": ResourceClaim not created yet`;
      const seen = this.#view.deviceClaims.get(`${namespace}/${claimName}`);
      if (!seen) return `could not find ResourceClaim "${namespace}/${claimName}"`;
      const claim = this.#ledger.current(seen);
      if (claim.metadata.deletionTimestamp) return `resourceclaim "${claimName}" is being deleted`;
      const strange = templateName === undefined ? undefined : strangersDeviceClaim(this.#pod, claim);
      if (strange !== undefined) return strange;
      claims.push(claim);
    }
    return undefined;
  }

  #obstacle(claim: ResourceV1ResourceClaim): string | undefined {
    if (claim.status?.allocation)
      return canBeReserved(claim) || isReservedFor(this.#pod, claim) ? undefined : 'resourceclaim in use';
    if (this.#ledger.isPending(claim))
      return `resource claim ${claimText(claim)} is in the process of being allocated`;
    for (const request of claim.spec.devices?.requests ?? []) {
      for (const { fullName, asked } of alternatives(request)) {
        const { deviceClassName } = asked;
        if ('adminAccess' in asked && asked.adminAccess && !this.#isAdmins())
          return `request ${fullName}: admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`;
        if (!this.#view.deviceClasses.has(deviceClassName))
          return `request ${fullName}: device class ${deviceClassName} does not exist`;
      }
    }
    return undefined;
  }
}

function isElsewhere({ status }: ResourceV1ResourceClaim, node: Node): boolean {
  const selector = status?.allocation?.nodeSelector;
  return selector !== undefined && !selects(selector, node);
}
