import {
  canonicalAddress,
  type IPAddress,
  internalError,
  invalid,
  invalidValue,
  type Service,
  type ServiceSpec,
} from '@wherry/kubeapi';
import { type ApiObject, as } from '../../objects/api-object.ts';
import type { ObjectCache } from '../../objects/object-cache.ts';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRule } from '../admission.ts';
import type { PluginParts } from '../plugin-parts.ts';
import type { PortRange } from '../port-range.ts';
import { isManagedAddress } from './address-object.ts';
import { addressesOfRange, type IpFamily } from './address-range.ts';
import { Allocation, type AllocationParts } from './allocation.ts';
import { keepsPreference, settleFamilies } from './ip-families.ts';
import { ServiceLedger } from './ledger.ts';
import { settlePorts } from './node-ports.ts';
import { ServiceRanges } from './service-ranges.ts';
import { SharedAllocations } from './shared-allocations.ts';
import {
  alignAddresses,
  dropForeignFields,
  dropInternalPolicy,
  keepAllocated,
  needsClusterIp,
} from './type-change.ts';

/** Gives services their cluster IP and node ports, and refuses those that others have (upstream: registry/core/service). */
export const serviceAddresses = (
  parts: Pick<PluginParts, 'caches' | 'serviceRange' | 'nodePorts' | 'sharedStore' | 'clock'>,
): AdmissionPlugin => new ServiceAddresses(parts);

class ServiceAddresses implements AdmissionPlugin {
  readonly name = 'ServiceAddresses';
  readonly handles: readonly AdmissionRule[];
  readonly #parts: AllocationParts;
  readonly #nodePorts: PortRange;
  readonly #ranges: ServiceRanges;
  readonly #addresses: ObjectCache<IPAddress>;
  /** What requests have taken that are under way; kept where the store is shared. */
  readonly #allocations = new WeakMap<AdmissionRequest, Allocation>();

  constructor(parts: Pick<PluginParts, 'caches' | 'serviceRange' | 'nodePorts' | 'sharedStore' | 'clock'>) {
    const { services, serviceCidrs, ipAddresses } = parts.caches;
    const ledger = new ServiceLedger(services);
    const { sharedStore } = parts;
    const shared = sharedStore && new SharedAllocations(sharedStore, ledger, parts);
    this.#parts = { ledger, shared };
    this.#nodePorts = parts.nodePorts;
    const operations = ['CREATE', 'UPDATE', ...(shared ? (['DELETE'] as const) : [])] as const;
    this.handles = [{ operations, resources: ['/services'] }];
    this.#ranges = new ServiceRanges(serviceCidrs, parts.serviceRange);
    this.#addresses = ipAddresses;
  }

  admit(request: AdmissionRequest): void {
    const { previous, object } = request;
    if (!object) return;
    const service = as<Service>(object);
    const spec: ServiceSpec = service.spec ?? {};
    service.spec = spec;
    const before: ServiceSpec | undefined = previous && as<Service>(previous).spec;
    spec.type ||= 'ClusterIP';
    if (before) keepAllocated(spec, before);
    alignAddresses(spec, before);
    const { name = '' } = service.metadata ?? {};
    const allocation = new Allocation(this.#parts, ownerOf(object), request);
    if (needsClusterIp(spec)) this.#settleAddresses(spec, before, allocation);
    if (allocation.errors.length === 0) settlePorts(spec, before, { allocation, range: this.#nodePorts });
    if (allocation.errors.length > 0) throw invalid({ group: '', kind: 'Service' }, name, allocation.errors);
    if (before) dropForeignFields(spec, before);
    dropInternalPolicy(spec);
    if (this.#parts.shared) this.#allocations.set(request, allocation);
  }

  /** Where the store is shared: stores with the service what it has, or has no more. */
  async validate(request: AdmissionRequest): Promise<void> {
    const { dryRun, object, previous } = request;
    if (dryRun) return;
    const taken = this.#allocations.get(request) ?? { addresses: [], ports: [] };
    await this.#parts.shared?.store(request, ownerOf((object ?? previous)!), taken);
  }

  #settleAddresses(spec: ServiceSpec, before: ServiceSpec | undefined, allocation: Allocation): void {
    if (keepsPreference(spec, before)) return;
    allocation.errors.push(...settleFamilies(spec, before, this.#ranges.families));
    if (allocation.errors.length > 0 || spec.clusterIP === 'None') return;
    const { clusterIPs: wanted = [], ipFamilies = [] } = spec;
    // What a service has stays: validation refuses a change of it.
    const kept = before && before.type !== 'ExternalName' ? (before.clusterIPs ?? [before.clusterIP]) : [];
    spec.clusterIPs = ipFamilies.map((family, index) => {
      const address = wanted[index];
      if (!address) return this.#freeAddress(family as IpFamily, allocation);
      if (kept[index] === undefined) this.#takeAddress(address, spec, allocation);
      return address;
    });
    spec.clusterIP = spec.clusterIPs[0] ?? '';
  }

  #takeAddress(address: string, { clusterIPs }: ServiceSpec, allocation: Allocation): void {
    const refuse = (why: string) => {
      const detail = `failed to allocate IP ${address}: ${why}`;
      allocation.errors.push(invalidValue('spec.clusterIPs', clusterIPs ?? [address], detail));
    };
    if (!this.#ranges.includes(address)) refuse('the provided network does not match the current range');
    else if (!this.#take(address, allocation)) refuse('provided IP is already allocated');
  }

  /** An IPAddress that somebody has made by hand is nobody else's; those of services only say what services do. */
  #take(address: string, allocation: Allocation): boolean {
    const object = this.#addresses.get(canonicalAddress(address));
    if (object && !isManagedAddress(object)) return false;
    return allocation.takeAddress(address);
  }

  /** Throws 500 when there is none, as upstream. */
  #freeAddress(family: IpFamily, allocation: Allocation): string {
    for (const range of this.#ranges.of(family))
      for (const address of addressesOfRange(range)) if (this.#take(address, allocation)) return address;
    const name = JSON.stringify(allocation.owner.slice(allocation.owner.indexOf('/') + 1));
    throw internalError(new Error(`failed to allocate a serviceIP for Service ${name}: range is full`));
  }
}

/** `namespace/name`. */
function ownerOf({ metadata: { namespace = '', name = '' } }: ApiObject): string {
  return `${namespace}/${name}`;
}
