/** Devices, and claims on them, made by chance. */
import type {
  Device,
  DeviceClass,
  DeviceConstraint,
  DeviceRequest,
  DeviceRequestAllocationResult,
  ExactDeviceRequest,
  Node,
  ResourceSlice,
  ResourceSliceSpec,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import type { SeededRandom } from '../../packages/kubeapi/test/random-object.ts';

/** What devices the claims get on the node. */
export interface DeviceQuestion {
  node: Node;
  claims: ResourceV1ResourceClaim[];
  classes: DeviceClass[];
  slices: ResourceSlice[];
  /** What others have. */
  taken: DeviceRequestAllocationResult[];
}

const expressions = [
  'true',
  'device.driver == "d1.io"',
  'device.attributes["d1.io"].?model.orValue("") == "big"',
  '"numa" in device.attributes["d1.io"] && device.attributes["d1.io"].numa > 0',
  'device.attributes["x.io"].?fw.orValue(semver("0.0.1")).isGreaterThan(semver("1.5.0"))',
  'device.capacity["d1.io"].?memory.orValue(quantity("0")).compareTo(quantity("10Gi")) >= 0',
  'device.allowMultipleAllocations',
  'device.attributes.exists(d, d == "d1.io" && "model" in device.attributes[d])',
];
const opaque = (kind: string) => ({ opaque: { driver: 'd1.io', parameters: { kind } } });

/** Makes questions from a seed. */
export class DeviceMaker {
  readonly #random: SeededRandom;
  /** Parts of devices: where there are any, upstream loses count after a device that something else rules out. */
  #hasCounters = false;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  question(): DeviceQuestion {
    this.#hasCounters = this.#chance(0.2);
    const slices = this.#slices();
    const known = slices.flatMap(({ spec }) => (spec.devices ?? []).map((device) => ({ spec, device })));
    const taken = known
      .filter(() => this.#chance(0.15))
      .map(({ spec: { driver, pool }, device: { name, allowMultipleAllocations } }, index) => ({
        ...{ request: 'r', driver, pool: pool.name, device: name },
        ...(allowMultipleAllocations
          ? { shareID: `00000000-0000-4000-8000-00000000000${index}`, consumedCapacity: { memory: '2Gi' } }
          : {}),
      }));
    const classes: DeviceClass[] = [
      { metadata: { name: 'any' }, spec: {} },
      {
        metadata: { name: 'd1' },
        spec: { selectors: [{ cel: { expression: 'device.driver == "d1.io"' } }], config: [opaque('class')] },
      },
    ];
    const claims = this.#times(1 + this.#random.below(3), (index) => this.#claim(`c${index}`));
    const node: Node = { metadata: { name: 'a', labels: { zone: 'z1' } }, spec: {} };
    return { node, claims, classes, slices, taken };
  }

  #chance(share: number): boolean {
    return this.#random.fraction() < share;
  }

  #times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => make(index));
  }

  #slices(): ResourceSlice[] {
    const slices: ResourceSlice[] = [];
    for (const name of ['p1', 'p2', 'p3'].slice(0, 1 + this.#random.below(3))) {
      const count = 1 + this.#random.below(2);
      const counters = this.#hasCounters && this.#chance(0.7);
      const faulty = this.#chance(0.06) ? 1 : 0;
      const pool = { name, generation: 2, resourceSliceCount: count + Number(counters) + faulty };
      const driver = this.#random.pick(['d1.io', 'd1.io', 'd2.io']);
      for (let index = 0; index < count; index++) {
        const own = this.#chance(0.04) ? { ...pool, generation: 1 } : pool;
        const where = this.#where();
        const start = this.#chance(0.03) ? 0 : index * 10;
        const devices = this.#times(this.#random.below(4), (at) =>
          this.#device(`x${start + at}`, { counters, isPlaced: where.perDeviceNodeSelection === true }),
        );
        slices.push({
          metadata: { name: `${name}-${index}` },
          spec: { driver, pool: own, ...where, ...(devices.length > 0 ? { devices } : {}) },
        });
      }
      if (counters) {
        const sharedCounters = [{ name: 'card', counters: { memory: { value: '40Gi' } } }];
        slices.push({
          metadata: { name: `${name}-counters` },
          spec: { driver, pool, nodeName: 'a', sharedCounters },
        });
      }
    }
    return slices;
  }

  #where(): Partial<ResourceSliceSpec> {
    const values = [this.#random.pick(['z1', 'z1', 'z2'])];
    return this.#random.pick<Partial<ResourceSliceSpec>>([
      { nodeName: 'a' },
      { nodeName: 'a' },
      { nodeName: 'b' },
      { allNodes: true },
      { perDeviceNodeSelection: true },
      {
        nodeSelector: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values }] }],
        },
      },
    ]);
  }

  #device(name: string, { counters, isPlaced }: { counters: boolean; isPlaced: boolean }): Device {
    const attributes = {
      ...(this.#chance(0.7) ? { numa: { int: this.#random.below(3) } } : {}),
      ...(this.#chance(0.6) ? { model: { string: this.#random.pick(['big', 'small']) } } : {}),
      ...(this.#chance(0.5) ? { 'x.io/fw': { version: this.#random.pick(['1.0.0', '2.0.0']) } } : {}),
    };
    const isShared = this.#chance(0.25);
    const validRange = { min: '2Gi', step: '2Gi' };
    const requestPolicy = this.#random.pick([
      { default: '2Gi', validRange },
      { default: '2Gi', validValues: ['2Gi', '5Gi'] },
    ]);
    const memory = { value: this.#random.pick(['8Gi', '16Gi']), ...(isShared ? { requestPolicy } : {}) };
    const taints = [{ key: 'broken', effect: this.#random.pick(['NoSchedule', 'NoExecute', 'None']) }];
    const value = this.#random.pick(['10Gi', '20Gi', '40Gi']);
    return {
      name,
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
      ...(isShared || this.#chance(0.5) ? { capacity: { memory } } : {}),
      ...(isShared ? { allowMultipleAllocations: true } : {}),
      ...(!this.#hasCounters && this.#chance(0.1) ? { taints: taints as NonNullable<Device['taints']> } : {}),
      ...(counters && !isShared
        ? { consumesCounters: [{ counterSet: 'card', counters: { memory: { value } } }] }
        : {}),
      ...(isPlaced ? this.#random.pick([{ nodeName: 'a' }, { nodeName: 'b' }, { allNodes: true }]) : {}),
      ...(this.#chance(0.05) ? { bindsToNode: true } : {}),
      ...(this.#chance(0.1) ? { bindingConditions: ['d1.io/attached'] } : {}),
      ...(this.#chance(0.05) ? { bindingFailureConditions: ['d1.io/broken'] } : {}),
    };
  }

  #asked(): ExactDeviceRequest {
    const isAll = this.#chance(0.15);
    return {
      deviceClassName: this.#random.pick(['any', 'any', 'd1', this.#chance(0.1) ? 'none' : 'any']),
      allocationMode: isAll ? 'All' : 'ExactCount',
      ...(isAll ? {} : { count: 1 + this.#random.below(2) }),
      ...(this.#chance(0.5) ? { selectors: [{ cel: { expression: this.#random.pick(expressions) } }] } : {}),
      ...(this.#chance(0.1) ? { tolerations: [{ operator: 'Exists' as const }] } : {}),
      ...(this.#chance(0.15)
        ? { capacity: { requests: { memory: this.#random.pick(['1Gi', '3Gi', '9Gi']) } } }
        : {}),
    };
  }

  #claim(name: string): ResourceV1ResourceClaim {
    const requests = this.#times(1 + this.#random.below(2), (index): DeviceRequest => {
      if (this.#chance(0.7)) {
        const exactly = { ...this.#asked(), ...(this.#chance(0.08) ? { adminAccess: true } : {}) };
        return { name: `r${index}`, exactly };
      }
      const firstAvailable = this.#times(2, (at) => ({ name: `s${at}`, ...this.#asked() }));
      return { name: `r${index}`, firstAvailable };
    });
    const config = [
      opaque('all'),
      { ...opaque('r0'), requests: ['r0'] },
      { ...opaque('r1/s1'), requests: ['r1/s1'] },
    ];
    const matchAttribute = this.#random.pick(['d1.io/numa', 'x.io/fw', 'd1.io/model']);
    const constraints: DeviceConstraint[] =
      this.#hasCounters || this.#chance(0.6)
        ? []
        : [{ matchAttribute, ...(this.#chance(0.3) ? { requests: ['r0'] } : {}) }];
    return {
      metadata: { name, namespace: 'default', uid: name },
      spec: {
        devices: {
          requests,
          ...(constraints.length > 0 ? { constraints } : {}),
          ...(this.#chance(0.4) ? { config } : {}),
        },
      },
    };
  }
}
