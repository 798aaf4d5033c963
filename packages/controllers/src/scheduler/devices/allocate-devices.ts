import type {
  DeviceClass,
  DeviceRequestAllocationResult,
  Node,
  Quantity,
  ResourceSlice,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi/objects';
import { limits } from '../../limits.ts';
import { AllocationError } from './allocation-error.ts';
import { amountsTaken } from './device-capacity.ts';
import { alternatives, claimText, type DeviceChoice } from './device-choice.ts';
import { AttributeConstraint } from './device-constraint.ts';
import { DeviceCounters } from './device-counters.ts';
import { type DevicePool, type KnownDevice, poolsFor } from './device-pools.ts';
import { isBarred } from './device-taints.ts';
import type { DeviceUse } from './device-use.ts';
import type { SelectorCache } from './selector-cache.ts';

/** A device that a claim gets. */
export interface GivenDevice {
  choice: DeviceChoice;
  known: KnownDevice;
  result: DeviceRequestAllocationResult;
}

/** Results that one claim may have (upstream's AllocationResultsMaxSize). */
const resultsMax = 32;

/** What an allocation starts from. */
export interface AllocationView {
  slices: ReadonlyMap<string, ResourceSlice>;
  classes: ReadonlyMap<string, DeviceClass>;
  selectors: SelectorCache;
  /** Taken by others. Changed while it is tried, and put back. */
  use: DeviceUse;
}

/** A request that is being met, and what comes after it. */
interface Place {
  claim: number;
  request: number;
  choice?: DeviceChoice;
  /** How many it has. */
  has: number;
  /** Where in the list of all devices the search for the next goes on. */
  from: number;
}

/**
 * Finds devices on a node for all claims at once, by trying in upstream's order: the first that fit (upstream:
 * dynamic-resource-allocation/structured).
 */
export class DeviceAllocator {
  readonly #node: Node;
  readonly #claims: readonly ResourceV1ResourceClaim[];
  readonly #view: AllocationView;
  readonly #pools: readonly DevicePool[];
  readonly #choices: DeviceChoice[][][];
  readonly #constraints: AttributeConstraint[][];
  readonly #counters = new Map<DevicePool, DeviceCounters>();
  /** The claims that are to get a device, by its id. */
  readonly #givenTo = new Map<string, number[]>();
  readonly #given: GivenDevice[][];
  #candidateList: readonly KnownDevice[] | undefined;
  #stepsLeft: number = limits.deviceSearchStepsMax;

  constructor(node: Node, claims: readonly ResourceV1ResourceClaim[], view: AllocationView) {
    this.#node = node;
    this.#claims = claims;
    this.#view = view;
    this.#pools = poolsFor(node, view.slices.values());
    this.#choices = claims.map((claim) => this.#choicesOf(claim));
    this.#constraints = claims.map(({ spec }) =>
      (spec.devices?.constraints ?? []).map((each) => new AttributeConstraint(each)),
    );
    this.#given = claims.map(() => []);
  }

  /** The devices of each claim; undefined where there are not enough. Throws {@link AllocationError}. */
  allocate(): GivenDevice[][] | undefined {
    if (this.#fill({ claim: 0, request: 0, has: 0, from: 0 })) return this.#given;
    if (this.#pools.some(({ fault }) => fault === 'invalid'))
      throw new AllocationError('invalid resource pools were encountered');
    return undefined;
  }

  #choicesOf(claim: ResourceV1ResourceClaim): DeviceChoice[][] {
    const requests = claim.spec.devices?.requests ?? [];
    const choices = requests.map((request) => alternatives(request).map((each) => this.#choice(claim, each)));
    const least = choices.reduce((sum, each) => sum + Math.min(...each.map(({ count }) => count)), 0);
    if (least > resultsMax)
      throw new AllocationError(
        `claim ${claimText(claim)}: number of requested devices ${least} exceeds the claim limit of ${resultsMax}`,
      );
    return choices;
  }

  #choice(claim: ResourceV1ResourceClaim, way: ReturnType<typeof alternatives>[number]): DeviceChoice {
    const { asked, name } = way;
    const where = `claim ${claimText(claim)}, request ${name}`;
    const deviceClass = this.#view.classes.get(asked.deviceClassName);
    if (!deviceClass)
      throw new AllocationError(`${where}: could not retrieve device class ${asked.deviceClassName}`);
    const isAdmin = 'adminAccess' in asked && asked.adminAccess === true;
    const choice: DeviceChoice = { ...way, isAdmin, deviceClass, count: asked.count ?? 1, all: undefined };
    if (asked.allocationMode !== 'All') return choice;
    const faulty = this.#pools.find(({ fault }) => fault);
    if (faulty) {
      const state = faulty.fault === 'incomplete' ? 'being updated' : 'invalid';
      throw new AllocationError(
        `${where}: asks for all devices, but resource pool ${faulty.id} is currently ${state}`,
      );
    }
    const all = this.#pools
      .flatMap(({ devices }) => devices)
      .filter((known) => this.#suits(claim, choice, known) && this.#amounts(choice, known));
    return { ...choice, count: all.length, all };
  }

  /** Goes on from a place to the end; what does not lead there is taken back. */
  #fill(place: Place): boolean {
    this.#stepsLeft -= 1;
    if (this.#stepsLeft < 0)
      throw new AllocationError(`node ${this.#node.metadata.name}: timed out trying to allocate devices`);
    const choices = this.#choices[place.claim];
    if (!choices) return true;
    const ways = choices[place.request];
    if (!ways) return this.#fill({ claim: place.claim + 1, request: 0, has: 0, from: 0 });
    if (!place.choice) return ways.some((choice) => this.#begin({ ...place, choice }));
    return this.#next({ ...place, choice: place.choice });
  }

  #begin(place: Place & { choice: DeviceChoice }): boolean {
    const { all, count } = place.choice;
    if (all?.length === 0) return false;
    if (this.#given[place.claim]!.length + count > resultsMax) return false;
    return this.#next(place);
  }

  #next(place: Place & { choice: DeviceChoice }): boolean {
    const { choice, claim, has } = place;
    if (has >= choice.count) return this.#fill({ claim, request: place.request + 1, has: 0, from: 0 });
    if (choice.all) return this.#try({ ...place, has: has + 1 }, choice.all[has]!);
    const devices = this.#candidates();
    for (let index = place.from; index < devices.length; index++) {
      const known = devices[index]!;
      if (!this.#suits(this.#claims[claim]!, choice, known)) continue;
      if (this.#try({ ...place, has: has + 1, from: index + 1 }, known)) return true;
    }
    return false;
  }

  #candidates(): readonly KnownDevice[] {
    this.#candidateList ??= this.#pools.flatMap(({ fault, devices }) => (fault ? [] : devices));
    return this.#candidateList;
  }

  /** Gives a device and goes on to `next`. */
  #try(next: Place & { choice: DeviceChoice }, known: KnownDevice): boolean {
    const { claim, choice } = next;
    const takeBack = this.#give(claim, choice, known);
    if (!takeBack) return false;
    if (this.#fill(next)) return true;
    takeBack();
    return false;
  }

  /** Undefined where the device can't be given; else what takes it back. */
  #give(claim: number, choice: DeviceChoice, known: KnownDevice): (() => void) | undefined {
    const { id, device } = known;
    const isShared = device.allowMultipleAllocations === true;
    const holders = this.#givenTo.get(id) ?? [];
    if (choice.isAdmin ? holders.includes(claim) : holders.length > 0 || this.#view.use.isTaken(id))
      return undefined;
    if (isBarred(device, choice.asked.tolerations)) return undefined;
    const amounts = this.#amounts(choice, known);
    if (!amounts) return undefined;
    const counters = this.#countersFor(known, isShared);
    if (counters?.suffice(known) === false) return undefined;
    const constraints = this.#constraints[claim]!;
    const failed = constraints.findIndex((each) => !each.add(choice, known));
    if (failed >= 0) {
      if (choice.all) throw new AllocationError(this.#cannotAdd(claim, choice, known));
      for (const each of constraints.slice(0, failed)) each.remove(choice);
      return undefined;
    }
    counters?.change(known, -1);
    if (isShared) this.#view.use.change(id, amounts, 1);
    else this.#givenTo.set(id, [...holders, claim]);
    this.#given[claim]!.push({
      choice,
      known,
      result: resultOf(choice, known, isShared ? amounts : undefined),
    });
    return () => {
      this.#given[claim]!.pop();
      if (isShared) this.#view.use.change(id, amounts, -1);
      else this.#givenTo.set(id, holders);
      counters?.change(known, 1);
      for (const each of constraints) each.remove(choice);
    };
  }

  #cannotAdd(claim: number, { name }: DeviceChoice, { id }: KnownDevice): string {
    const where = `claim ${claimText(this.#claims[claim]!)}, request ${name}`;
    return `${where}: cannot add device ${id} because a claim constraint would not be satisfied`;
  }

  #suits(claim: ResourceV1ResourceClaim, choice: DeviceChoice, known: KnownDevice): boolean {
    return this.#view.selectors.suits(claim, choice, known);
  }

  #amounts({ asked }: DeviceChoice, { id, device }: KnownDevice): Map<string, Quantity> | undefined {
    return amountsTaken(device, asked.capacity?.requests, this.#view.use.taken(id));
  }

  /** A device that several share counts once. */
  #countersFor({ pool, id, device }: KnownDevice, isShared: boolean): DeviceCounters | undefined {
    if (!device.consumesCounters?.length || (isShared && this.#view.use.isUsed(id))) return undefined;
    const known = this.#counters.get(pool) ?? new DeviceCounters(pool, this.#view.use);
    this.#counters.set(pool, known);
    return known;
  }
}

function resultOf(
  { fullName, isAdmin, asked: { tolerations } }: DeviceChoice,
  { driver, slice, device }: KnownDevice,
  amounts: ReadonlyMap<string, Quantity> | undefined,
): DeviceRequestAllocationResult {
  const { bindingConditions, bindingFailureConditions } = device;
  const consumed = [...(amounts ?? [])].map(([name, amount]) => [name, amount.toString()] as const);
  return {
    ...{ request: fullName, driver, pool: slice.spec.pool.name, device: device.name },
    ...(isAdmin ? { adminAccess: true } : {}),
    ...(tolerations?.length ? { tolerations } : {}),
    ...(amounts ? { shareID: crypto.randomUUID() } : {}),
    ...(consumed.length > 0 ? { consumedCapacity: Object.fromEntries(consumed) } : {}),
    ...(bindingConditions?.length ? { bindingConditions } : {}),
    ...(bindingFailureConditions?.length ? { bindingFailureConditions } : {}),
  };
}
