/** Which devices claims get, by upstream's rules. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type {
  Device,
  DeviceClaim,
  DeviceClass,
  DeviceRequest,
  ExactDeviceRequest,
  Namespace,
  Node,
  Pod,
  ResourceSlice,
  ResourceSliceSpec,
  ResourceV1ResourceClaim,
} from '@wherry/kubeapi';
import { clusterOf } from '../../../test/cluster-of.ts';
import { podInfo } from '../cluster/pod-info.ts';
import { PlaceFinder } from '../find-place.ts';
import { dynamicResources } from '../scores/dynamic-resources.ts';
import { devicesOf } from './pod-devices.ts';
import { loadSelectors } from './selector-cache.ts';

const node = (name: string, labels = {}): Node => ({
  metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
  spec: {},
  status: {
    conditions: [{ type: 'Ready', status: 'True' }],
    allocatable: { cpu: '2', memory: '4Gi', pods: '9' },
  },
});
const nodes = [node('a')];
const deviceClass: DeviceClass = { metadata: { name: 'gpus' }, spec: {} };

let made = 0;
const slice = (devices: Device[], more: Partial<ResourceSliceSpec> = {}): ResourceSlice => {
  made += 1;
  const spec = { driver: 'd.io', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices };
  const where = more.allNodes || more.nodeSelector || more.perDeviceNodeSelection ? {} : { nodeName: 'a' };
  return { metadata: { name: `s${String(made).padStart(4, '0')}` }, spec: { ...spec, ...where, ...more } };
};
const asks = (more: Partial<ExactDeviceRequest> = {}): ExactDeviceRequest => ({
  ...{ deviceClassName: 'gpus', allocationMode: 'ExactCount', count: 1 },
  ...more,
});
const requests = (...all: ExactDeviceRequest[]): DeviceRequest[] =>
  all.map((exactly, index) => ({ name: `r${index}`, exactly }));
const selecting = (expression: string) => ({ selectors: [{ cel: { expression } }] });
function claim(devices: DeviceClaim, status?: ResourceV1ResourceClaim['status']): ResourceV1ResourceClaim {
  made += 1;
  const metadata = { name: `c${made}`, namespace: 'default', uid: `claim-${made}`, resourceVersion: '1' };
  return { metadata, spec: { devices }, ...(status ? { status } : {}) };
}
const pod = (...claims: ResourceV1ResourceClaim[]): Pod => ({
  metadata: { name: 'pod', namespace: 'default', uid: 'pod' },
  spec: {
    containers: [{ name: 'main' }],
    resourceClaims: claims.map(({ metadata }) => ({
      name: metadata.name!,
      resourceClaimName: metadata.name!,
    })),
  },
});

interface Case {
  slices: ResourceSlice[];
  claims: ResourceV1ResourceClaim[];
  /** Of other pods. */
  others?: ResourceV1ResourceClaim[];
  classes?: DeviceClass[];
  namespaces?: Namespace[];
}

const clusterWith = ({ slices, claims, others = [], classes = [deviceClass], namespaces = [] }: Case) =>
  clusterOf({
    ...{ nodes, namespaces, resourceSlices: slices, deviceClasses: classes },
    deviceClaims: [...claims, ...others],
  });

/** What each claim gets on the node `a`. */
function given(asked: Case) {
  const { objects, devices } = clusterWith(asked);
  const found = devicesOf(pod(...asked.claims), objects, devices)?.allocations(nodes[0]!);
  return found && asked.claims.map(({ metadata }) => found.get(metadata.uid!)!);
}
/** The names of the devices. */
const names = (asked: Case) =>
  given(asked)?.map(({ devices }) => devices!.results!.map(({ device }) => device).join(' '));
const place = (asked: Case, its = pod(...asked.claims)) => {
  const found = new PlaceFinder(clusterWith(asked)).find(podInfo(its));
  return 'room' in found ? found.room.name : found.message;
};
const named = (...all: string[]): Device[] => all.map((name) => ({ name }));

describe('the scheduler’s plug-in for dynamic resources', () => {
  before(loadSelectors);

  it('prefers nodes where claims get their earlier alternatives', () => {
    const isBig = { size: { string: 'big' } };
    const slices = ['a', 'b', 'c'].map((nodeName) =>
      slice([{ name: 'x', ...(nodeName === 'b' ? { attributes: isBig } : {}) }], {
        ...{ nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1 } },
      }),
    );
    const ways = [
      { name: 'big', ...asks(selecting('device.attributes["d.io"].?size.orValue("") == "big"')) },
      { name: 'any', ...asks() },
    ];
    const its = claim({ requests: [{ name: 'r', firstAvailable: ways }] });
    const cluster = clusterOf({
      ...{ nodes: ['a', 'b', 'c'].map((name) => node(name)), resourceSlices: slices },
      ...{ deviceClasses: [deviceClass], deviceClaims: [its] },
    });
    const points = dynamicResources.score(podInfo(pod(its)), cluster.nodes, cluster);
    assert.deepEqual(
      cluster.nodes.map(({ name }, index) => [name, points?.[index]]),
      [
        ['a', 87],
        ['b', 100],
        ['c', 87],
      ],
    );
    const found = new PlaceFinder(cluster).find(podInfo(pod(its)));
    assert.equal('room' in found && found.room.name, 'b');
    const exact = claim({ requests: requests(asks()) });
    const plain = clusterWith({ slices: [slice(named('x'))], claims: [exact] });
    assert.equal(dynamicResources.score(podInfo(pod(exact)), plain.nodes, plain), undefined);
  });

  it('gives the first devices that fit, and none twice', () => {
    const slices = [slice(named('x', 'y', 'z'))];
    const claims = [claim({ requests: requests(asks({ count: 2 })) }), claim({ requests: requests(asks()) })];
    assert.deepEqual(names({ slices, claims }), ['x y', 'z']);
    const results = [{ request: 'r0', driver: 'd.io', pool: 'p', device: 'y' }];
    const others = [claim({}, { allocation: { devices: { results } } })];
    assert.equal(place({ slices, claims, others }), '0/1 nodes are available: 1 cannot allocate all claims.');
    assert.deepEqual(names({ slices, claims: [claims[0]!], others }), ['x z']);
    assert.equal(place({ slices, claims }), 'a');
  });

  it('reads selectors of class and request over attributes, capacities, versions and the driver', () => {
    const devices: Device[] = [
      { name: 'old', attributes: { model: { string: 'm1' }, 'v.io/fw': { version: '1.9.0' } } },
      { name: 'small', attributes: { model: { string: 'm2' } }, capacity: { memory: { value: '1Gi' } } },
      {
        name: 'good',
        attributes: { model: { string: 'm2' }, cores: { int: 8 }, 'v.io/fw': { version: '2.1.0' } },
        capacity: { memory: { value: '80Gi' } },
      },
    ];
    const classes: DeviceClass[] = [
      {
        metadata: { name: 'gpus' },
        spec: selecting('device.driver == "d.io" && "m2" == device.attributes["d.io"].model'),
      },
    ];
    const slices = [slice(devices)];
    const get = (expression: string) =>
      names({ slices, classes, claims: [claim({ requests: requests(asks(selecting(expression))) })] });
    assert.deepEqual(get('true'), ['small']);
    assert.deepEqual(get('device.capacity["d.io"].memory.compareTo(quantity("40Gi")) >= 0'), ['good']);
    assert.deepEqual(
      get('device.attributes["v.io"].?fw.orValue(semver("0.0.1")).isGreaterThan(semver("2.0.0"))'),
      ['good'],
    );
    assert.deepEqual(get('"cores" in device.attributes["d.io"] && device.attributes["d.io"].cores == 8'), [
      'good',
    ]);
    assert.equal(get('"x" in device.attributes["nobody.io"]'), undefined);
    assert.equal(get('device.allowMultipleAllocations'), undefined);
    const wrong = [claim({ requests: requests(asks(selecting('device.attributes["d.io"].none == 1'))) })];
    assert.match(
      place({ slices, classes, claims: wrong }),
      /1 claim default\/c\d+: selector #0: CEL runtime error: no such key: none\./,
    );
    const unreadable = [claim({ requests: requests(asks(selecting('device.nothing'))) })];
    assert.match(
      place({ slices, classes, claims: unreadable }),
      /selector #0: CEL compile error: compilation failed: /,
    );
  });

  it('goes back to another device where the first keeps a constraint from being met', () => {
    const numa = (name: string, value: number): Device => ({ name, attributes: { numa: { int: value } } });
    const slices = [slice([numa('x', 0), numa('y', 1), numa('z', 1)])];
    const both = requests(asks(), asks());
    const constraint = (more: object) => [claim({ requests: both, constraints: [more] })];
    assert.deepEqual(names({ slices, claims: constraint({ matchAttribute: 'd.io/numa' }) }), ['y z']);
    assert.deepEqual(names({ slices, claims: constraint({ distinctAttribute: 'd.io/numa' }) }), ['x y']);
    assert.equal(names({ slices, claims: constraint({ matchAttribute: 'd.io/none' }) }), undefined);
    assert.deepEqual(
      names({ slices, claims: constraint({ matchAttribute: 'd.io/none', requests: ['other'] }) }),
      ['x y'],
    );
  });

  it('takes the first alternative there is enough of, and tells drivers what concerns it', () => {
    const opaque = (kind: string) => ({ opaque: { driver: 'd.io', parameters: { kind } } });
    const classes = [deviceClass, { metadata: { name: 'big' }, spec: { config: [opaque('class')] } }];
    const firstAvailable = [
      { name: 'two', deviceClassName: 'gpus', allocationMode: 'ExactCount' as const, count: 2 },
      { name: 'one', deviceClassName: 'big', allocationMode: 'ExactCount' as const, count: 1 },
    ];
    const config = [
      { ...opaque('of two'), requests: ['gpu/two'] },
      { ...opaque('of one'), requests: ['gpu/one'] },
      opaque('all'),
    ];
    const claims = [claim({ requests: [{ name: 'gpu', firstAvailable }], config })];
    assert.deepEqual(names({ slices: [slice(named('x', 'y'))], claims, classes }), ['x y']);
    const [got] = given({ slices: [slice(named('x'))], claims, classes })!;
    assert.deepEqual(got!.devices!.results, [{ request: 'gpu/one', driver: 'd.io', pool: 'p', device: 'x' }]);
    assert.deepEqual(got!.devices!.config, [
      { source: 'FromClass', requests: ['gpu/one'], ...opaque('class') },
      { source: 'FromClaim', requests: ['gpu/one'], ...opaque('of one') },
      { source: 'FromClaim', ...opaque('all') },
    ]);
  });

  it('gives all devices, or none while a pool is being written', () => {
    const claims = [claim({ requests: requests({ deviceClassName: 'gpus', allocationMode: 'All' }) })];
    assert.deepEqual(names({ slices: [slice(named('x', 'y'))], claims }), ['x y']);
    const pool = { name: 'p', generation: 2, resourceSliceCount: 2 };
    const slices = [slice(named('x'), { pool })];
    const message = /asks for all devices, but resource pool d\.io\/p is currently being updated\.$/;
    assert.match(place({ slices, claims }), message);
    assert.equal(names({ slices, claims: [claim({ requests: requests(asks()) })] }), undefined);
    const old = slice(named('old'));
    const complete = [...slices, slice(named('y'), { pool }), old];
    assert.deepEqual(names({ slices: complete, claims }), ['x y']);
  });

  it('keeps to the nodes of slices and of devices, and says where the devices can be used', () => {
    const claims = [claim({ requests: requests(asks()) })];
    const selector = (value: string) => ({
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In' as const, values: [value] }] },
      ],
    });
    const where = (more: Partial<ResourceSliceSpec>, device: Partial<Device> = {}) =>
      given({ slices: [slice([{ name: 'x', ...device }], more)], claims })?.[0]?.nodeSelector;
    const here = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }];
    assert.deepEqual(where({}), { nodeSelectorTerms: here });
    assert.equal(given({ slices: [slice(named('x'), { nodeName: 'b' })], claims }), undefined);
    assert.deepEqual(where({ nodeSelector: selector('a') }), selector('a'));
    assert.equal(given({ slices: [slice(named('x'), { nodeSelector: selector('b') })], claims }), undefined);
    assert.equal(where({ allNodes: true }), undefined);
    assert.deepEqual(where({ allNodes: true }, { bindsToNode: true }), { nodeSelectorTerms: here });
    assert.deepEqual(where({ perDeviceNodeSelection: true }, { nodeName: 'a' }), { nodeSelectorTerms: here });
  });

  it('lets several share a device up to its capacity, and rounds up what they ask for', () => {
    const validRange = { min: '2Gi', step: '2Gi' };
    const capacity = { memory: { value: '8Gi', requestPolicy: { default: '2Gi', validRange } } };
    const slices = [slice([{ name: 'x', allowMultipleAllocations: true, capacity }])];
    const wants = (memory?: string) =>
      claim({ requests: requests(asks(memory ? { capacity: { requests: { memory } } } : {})) });
    const got = given({ slices, claims: [wants('3Gi'), wants(), wants('1Gi')] })!;
    const results = got.map(({ devices }) => devices!.results![0]!);
    assert.deepEqual(
      results.map(({ consumedCapacity }) => consumedCapacity),
      [{ memory: '4Gi' }, { memory: '2Gi' }, { memory: '2Gi' }],
    );
    assert.equal(new Set(results.map(({ shareID }) => shareID)).size, 3);
    assert.equal(given({ slices, claims: [wants('4Gi'), wants('5Gi')] }), undefined);
    const others = [claim({}, { allocation: got[0]! })];
    assert.equal(given({ slices, others, claims: [wants('6Gi')] }), undefined);
    assert.ok(given({ slices, others, claims: [wants('4Gi')] }));
  });

  it('gives parts of a device as long as what they share is enough', () => {
    const pool = { name: 'p', generation: 1, resourceSliceCount: 2 };
    const part = (name: string, value: string): Device => ({
      name,
      consumesCounters: [{ counterSet: 'card', counters: { memory: { value } } }],
    });
    const sharedCounters = [{ name: 'card', counters: { memory: { value: '40Gi' } } }];
    const slices = [
      slice([part('whole', '40Gi'), part('half', '20Gi'), part('other', '20Gi')], { pool }),
      slice([], { pool, sharedCounters }),
    ];
    const one = () => claim({ requests: requests(asks()) });
    assert.deepEqual(names({ slices, claims: [one()] }), ['whole']);
    assert.deepEqual(names({ slices, claims: [one(), one()] }), ['half', 'other']);
    assert.equal(names({ slices, claims: [one(), one(), one()] }), undefined);
  });

  it('keeps off devices with taints, but lets administrators look at those of others', () => {
    const taints = [{ key: 'broken', effect: 'NoSchedule' as const }];
    const slices = [slice([{ name: 'x', taints }, { name: 'y' }])];
    assert.deepEqual(names({ slices, claims: [claim({ requests: requests(asks()) })] }), ['y']);
    const tolerations = [{ operator: 'Exists' as const }];
    assert.deepEqual(names({ slices, claims: [claim({ requests: requests(asks({ tolerations })) })] }), [
      'x',
    ]);
    const results = [{ request: 'r', driver: 'd.io', pool: 'p', device: 'y' }];
    const others = [claim({}, { allocation: { devices: { results } } })];
    assert.equal(names({ slices, others, claims: [claim({ requests: requests(asks()) })] }), undefined);
    const asAdmin = [claim({ requests: requests(asks({ adminAccess: true })) })];
    assert.equal(given({ slices, others, claims: asAdmin })![0]!.devices!.results![0]!.adminAccess, true);
    assert.match(place({ slices, others, claims: asAdmin }), /admin access to devices requires the/);
    const namespaces = [
      { metadata: { name: 'default', labels: { 'resource.kubernetes.io/admin-access': 'true' } }, spec: {} },
    ];
    assert.equal(place({ slices, others, claims: asAdmin, namespaces }), 'a');
  });

  it('takes devices that are made ready later last, and tells the claim what they wait for', () => {
    const bindingConditions = ['d.io/attached'];
    const slow: Device = { name: 'slow', bindingConditions, bindingFailureConditions: ['d.io/broken'] };
    const pool = (name: string) => ({ pool: { name, generation: 1, resourceSliceCount: 1 } });
    const slices = [slice([slow], pool('a')), slice(named('quick'), pool('b'))];
    const claims = [claim({ requests: requests(asks()) }), claim({ requests: requests(asks()) })];
    assert.deepEqual(names({ slices, claims }), ['quick', 'slow']);
    const [, second] = given({ slices, claims })!;
    assert.deepEqual(second!.devices!.results, [
      {
        ...{ request: 'r0', driver: 'd.io', pool: 'a', device: 'slow', bindingConditions },
        bindingFailureConditions: ['d.io/broken'],
      },
    ]);
  });

  it('does not offer a pod devices that failed to be made ready, nor such as were late', () => {
    const results = [
      {
        ...{ request: 'r0', driver: 'd.io', pool: 'p', device: 'x', bindingConditions: ['d.io/attached'] },
        bindingFailureConditions: ['d.io/broken'],
      },
    ];
    const allocation = { devices: { results }, allocationTimestamp: '2026-01-01T00:00:00Z' };
    const holding = (...conditions: [type: string, status: 'True' | 'False'][]) => {
      const told = conditions.map(([type, status]) => ({
        ...{ type, status, reason: 'r', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
      }));
      const devices = [{ driver: 'd.io', pool: 'p', device: 'x', conditions: told }];
      return claim({ requests: requests(asks()) }, { allocation, devices });
    };
    const slices = [slice(named('x'))];
    const placeOf = (its: ResourceV1ResourceClaim) => place({ slices, claims: [its] });
    const unusable = '0/1 nodes are available: 1 resourceclaim not available on the node.';
    assert.equal(placeOf(holding()), 'a');
    assert.equal(placeOf(holding(['d.io/attached', 'True'])), 'a');
    assert.equal(placeOf(holding(['d.io/broken', 'False'])), 'a');
    assert.equal(placeOf(holding(['d.io/attached', 'True'], ['d.io/broken', 'True'])), unusable);
    const late = holding(['d.io/attached', 'False']);
    const cluster = clusterWith({ slices, claims: [late] });
    cluster.devices.expire(late);
    const found = new PlaceFinder(cluster).find(podInfo(pod(late)));
    assert.equal('message' in found && found.message, unusable);
    const nodesOf = cluster.nodes.flatMap(({ node: its }) => its ?? []);
    assert.equal(devicesOf(pod(late), cluster.objects, cluster.devices)?.misplaced(nodesOf), late);
    cluster.devices.shown({ ...late, status: {} }, false);
    assert.equal(cluster.devices.isExpired(late), false);
  });

  it('says what a pod waits for', () => {
    const claims = [claim({ requests: requests(asks()) })];
    const says = (asked: Partial<Case>, its?: Pod) =>
      place({ slices: [], claims, ...asked }, its ?? pod(...claims));
    const start = '0/1 nodes are available:';
    const { name } = claims[0]!.metadata;
    assert.equal(says({ claims: [] }), `${start} could not find ResourceClaim "default/${name}".`);
    assert.equal(says({ classes: [] }), `${start} request r0: device class gpus does not exist.`);
    const its = pod();
    its.spec!.resourceClaims = [{ name: 'd', resourceClaimTemplateName: 't' }];
    assert.equal(says({}, its), `${start} pod "default/pod": ResourceClaim not created yet.`);
    its.status = { resourceClaimStatuses: [{ name: 'd', resourceClaimName: name! }] };
    assert.match(says({}, its), /was not created for Pod default\/pod \(Pod is not owner\)\.$/);
    const elsewhere = {
      nodeSelectorTerms: [
        { matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: ['b'] }] },
      ],
    };
    claims[0]!.status = { allocation: { nodeSelector: elsewhere } };
    assert.equal(says({}), `${start} 1 resourceclaim not available on the node.`);
  });
});
