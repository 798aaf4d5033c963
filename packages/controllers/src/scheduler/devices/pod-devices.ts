import type {
  AllocationResult,
  DeviceClass,
  Namespace,
  Node,
  Pod,
  ResourceSlice,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';
import { canBeReserved, isReservedFor, podDeviceClaims, strangersDeviceClaim } from '@wherry/podrules';
import type { DeviceLedger } from '../cluster/device-ledger.ts';
import { DeviceAllocator } from './allocate-devices.ts';
import { AllocationError } from './allocation-error.ts';
import { allocationResult } from './allocation-result.ts';
import { alternatives, claimText } from './device-choice.ts';
import { selects } from './device-pools.ts';
import { DeviceUse } from './device-use.ts';
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

/** The claims on devices of one pod, and which nodes they leave to it (upstream: the plug-in DynamicResources). */
export class PodDevices {
  readonly #view: DeviceView;
  readonly #ledger: DeviceLedger;
  readonly #pod: Pod;
  /** What others have taken, the same for each node. */
  #use: DeviceUse | undefined;
  readonly claims: readonly ResourceV1ResourceClaim[];
  /** Why no node will do, in upstream's words. */
  readonly message: string | undefined;

  constructor(pod: Pod, view: DeviceView, ledger: DeviceLedger) {
    this.#pod = pod;
    this.#view = view;
    this.#ledger = ledger;
    const claims: ResourceV1ResourceClaim[] = [];
    this.message = this.#find(claims);
    this.claims = claims;
    this.message ??= claims.map((claim) => this.#obstacle(claim)).find((each) => each !== undefined);
  }

  /** Why the pod can't have its devices on that node. */
  refusal(node: Node): string | undefined {
    if (this.claims.some((claim) => isElsewhere(claim, node)))
      return 'resourceclaim not available on the node';
    try {
      return this.allocations(node) ? undefined : 'cannot allocate all claims';
    } catch (error) {
      if (!(error instanceof AllocationError)) throw error;
      return error.message;
    }
  }

  /** What the claims without devices would get on the node, by uid; undefined where there is not enough. */
  allocations(node: Node): Map<string, AllocationResult> | undefined {
    const missing = this.claims.filter(({ status }) => !status?.allocation);
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

  /** A claim that has its devices where the pod can't be, and that nobody else needs there. */
  misplaced(nodes: readonly Node[]): ResourceV1ResourceClaim | undefined {
    if (this.message !== undefined) return undefined;
    return this.claims.find((claim) => {
      const users = claim.status?.reservedFor ?? [];
      const isOurs = users.every(({ uid }) => uid === this.#pod.metadata.uid);
      return isOurs && nodes.some((node) => isElsewhere(claim, node));
    });
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
