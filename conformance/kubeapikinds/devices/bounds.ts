/** Objects about devices at their bounds, and one beyond: what chance would not come to. */
import type { JsonObject, JsonValue } from '@wherry/kubeapi';
import { deviceExamples } from './examples.ts';

/** A new object, or a change of `previous`. */
export interface DeviceCase {
  kind: string;
  object: JsonObject;
  previous?: JsonObject;
  subresource?: string;
}

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));
const map = (count: number, each: (index: number) => readonly [string, JsonValue]): JsonObject =>
  Object.fromEntries(many(count, each));

/** The example with what stands at the path replaced. */
function changed(kind: string, index: number, path: string, value: JsonValue): JsonObject {
  const object = structuredClone(deviceExamples[kind]![index]!);
  const keys = path.split('.');
  const last = keys.pop()!;
  let place: JsonObject = object;
  for (const key of keys) place = place[key] as JsonObject;
  place[last] = value;
  return object;
}

const around = <T>(bound: number, each: (count: number) => T): T[] => [each(bound), each(bound + 1)];
const text = (length: number) => 'a'.repeat(length);

const sliceKind = 'resource.k8s.io/v1/ResourceSlice';
const slice = (index: number, path: string, value: JsonValue): DeviceCase => ({
  kind: sliceKind,
  object: changed(sliceKind, index, `spec.${path}`, value),
});
const device = (path: string, value: JsonValue): DeviceCase => slice(0, `devices.0.${path}`, value);
const policy = (value: string, requestPolicy: JsonObject): DeviceCase =>
  slice(1, 'devices.0.capacity', { memory: { value, requestPolicy } });
const taint = { key: 'a', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' };
const counters = (count: number) => map(count, (index) => [`c${index}`, { value: '1' }]);

const slices: DeviceCase[] = [
  ...around(128, (count) =>
    slice(
      0,
      'devices',
      many(count, (index) => ({ name: `d${index}` })),
    ),
  ),
  ...around(64, (count) =>
    slice(
      0,
      'devices',
      many(count, (index) => ({ name: `d${index}`, taints: [taint] })),
    ),
  ),
  ...around(64, (count) =>
    slice(
      0,
      'devices',
      many(count, (index) => ({
        name: `d${index}`,
        consumesCounters: [{ counterSet: 's', counters: counters(1) }],
      })),
    ),
  ),
  slice(0, 'devices', [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: 'a' }]),
  ...around(32, (count) =>
    device(
      'attributes',
      map(count - 2, (index) => [`a${index}`, { int: index }]),
    ),
  ),
  ...around(32, (count) =>
    device(
      'attributes',
      map(count, (index) => [text(index + 1), { bool: true }]),
    ),
  ),
  ...around(63, (count) => device('attributes', { [`${text(count)}/x`]: { bool: true } })),
  device('attributes', { [text(300)]: {} }),
  device('attributes', { 'a/b/c': { int: 1 }, '/b': { int: 1 }, 'a/': { int: 1 }, '': { int: 1 } }),
  device('attributes', { a: {}, b: { int: 0, bool: false }, c: { string: '' }, d: { version: '' } }),
  ...around(64, (count) => device('attributes', { a: { string: text(count) } })),
  ...around(64, (count) => device('attributes', { a: { version: `1.0.0-${text(count - 6)}` } })),
  ...[
    '1',
    '1.2',
    '01.2.3',
    '1.2.3.4',
    'v1.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3+b.01',
    '1.2.3 ',
  ].map((version) => device('attributes', { a: { version } })),
  ...around(16, (count) =>
    device(
      'taints',
      many(count, () => taint),
    ),
  ),
  device('taints', [
    { key: '', effect: '' },
    { key: 'a b', value: 'a b', effect: 'Never' },
  ]),
  ...around(2, (count) =>
    device(
      'consumesCounters',
      many(count, (index) => ({ counterSet: `s${index}`, counters: counters(1) })),
    ),
  ),
  device(
    'consumesCounters',
    many(2, () => ({ counterSet: 's', counters: counters(1) })),
  ),
  device('consumesCounters', [
    { counterSet: '', counters: {} },
    { counterSet: 'A', counters: { B: { value: '1' } } },
  ]),
  ...around(32, (count) => device('consumesCounters', [{ counterSet: 's', counters: counters(count) }])),
  ...around(4, (count) => {
    const names = many(count, (index) => `c${index}`);
    return device('bindingConditions', names);
  }),
  device('nodeName', 'node'),
  device('allNodes', false),
  slice(2, 'devices', [
    { name: 'a' },
    { name: 'b', nodeName: 'B', allNodes: true },
    { name: 'c', allNodes: false },
  ]),
  slice(2, 'devices', [
    { name: 'a', nodeName: '' },
    { name: 'b', nodeSelector: { nodeSelectorTerms: [] } },
  ]),
  slice(2, 'perDeviceNodeSelection', false),
  slice(2, 'sharedCounters', [{ name: 's', counters: counters(1) }]),
  slice(0, 'nodeName', ''),
  slice(0, 'allNodes', true),
  slice(1, 'allNodes', false),
  slice(3, 'nodeSelector', { nodeSelectorTerms: [{}, {}] }),
  ...around(8, (count) =>
    slice(
      3,
      'sharedCounters',
      many(count, (index) => ({ name: `s${index}`, counters: counters(1) })),
    ),
  ),
  slice(
    3,
    'sharedCounters',
    many(2, () => ({ name: 's', counters: counters(1) })),
  ),
  ...around(32, (count) => slice(3, 'sharedCounters', [{ name: 's', counters: counters(count) }])),
  slice(3, 'sharedCounters', [
    { name: '', counters: {} },
    { name: 'A.b', counters: { [text(64)]: { value: '1' } } },
  ]),
  slice(0, 'pool', { name: '', generation: -1, resourceSliceCount: 0 }),
  ...around(253, (count) => slice(0, 'pool.name', `${text(count - 2)}/a`)),
  ...['a//b', '/a', 'A/b', 'a/b/c/d'].map((name) => slice(0, 'pool.name', name)),
  ...around(63, (count) => slice(0, 'driver', text(count))),
  slice(0, 'driver', `A_${text(64)}`),
];

const policies: DeviceCase[] = [
  policy('8', { validValues: ['1'] }),
  policy('8', { default: '1' }),
  policy('8', {}),
  policy('8', { default: '3', validValues: ['1', '2'] }),
  policy('8', { default: '1', validValues: ['2', '1', '9'] }),
  policy('8', { default: '1', validValues: ['1', '1'] }),
  policy('8', { default: '1', validValues: ['500m', '1'] }),
  ...around(10, (count) =>
    policy('100', { default: '1', validValues: many(count, (index) => `${index + 1}`) }),
  ),
  policy('8', { default: '1', validValues: ['1'], validRange: { min: '1' } }),
  policy('8', { validRange: { min: '1' } }),
  policy('8', { default: '1', validRange: {} }),
  policy('8', { default: '0', validRange: { min: '1' } }),
  policy('8', { default: '9', validRange: { min: '9', max: '10' } }),
  policy('8', { default: '7', validRange: { min: '5', max: '4' } }),
  policy('8', { default: '5', validRange: { min: '1', max: '8', step: '4' } }),
  policy('8', { default: '4', validRange: { min: '1', max: '8', step: '8' } }),
  policy('8', { default: '1500m', validRange: { min: '1', step: '100m' } }),
  policy('8', { default: '-3', validRange: { min: '-5', max: '-1', step: '-2' } }),
  slice(0, 'devices.0.capacity', { memory: { value: '1', requestPolicy: { default: '1' } } }),
  slice(1, 'devices.0.capacity', { '': { value: '1' }, 'A/b': { value: '-1' }, 'a/b-c': { value: '0' } }),
];

const claimKind = 'resource.k8s.io/v1/ResourceClaim';
const claim = (path: string, value: JsonValue): DeviceCase => ({
  kind: claimKind,
  object: changed(claimKind, 0, `spec.devices.${path}`, value),
});
const exactly = { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 };
const opaqueOf = (bytes: number) => ({
  driver: 'gpu.example.com',
  parameters: { a: text(bytes - '{"a":""}'.length) },
});

const claims: DeviceCase[] = [
  ...around(32, (count) =>
    claim(
      'requests',
      many(count, (index) => ({ name: `r${index}`, exactly })),
    ),
  ),
  claim('requests', [{ name: 'r' }, { name: 'r', exactly }, { name: '', exactly: {} }]),
  claim('requests', [{ name: 'r', exactly, firstAvailable: [{ name: 's', deviceClassName: 'gpu' }] }]),
  ...around(8, (count) =>
    claim(
      'requests.1.firstAvailable',
      many(count, (index) => ({ name: `s${index}`, deviceClassName: 'gpu' })),
    ),
  ),
  claim(
    'requests.1.firstAvailable',
    many(2, () => ({ name: 's', deviceClassName: 'gpu' })),
  ),
  ...['All', 'ExactCount', 'Some', ''].flatMap((allocationMode) =>
    [-1, 0, 1].map((count) => claim('requests.0.exactly', { deviceClassName: 'gpu', allocationMode, count })),
  ),
  ...around(32, (count) =>
    claim(
      'requests.0.exactly.selectors',
      many(count, () => ({ cel: { expression: 'true' } })),
    ),
  ),
  claim('requests.0.exactly.selectors', [{}, { cel: { expression: `"${text(10_240)}" == ""` } }]),
  ...around(32, (count) =>
    claim(
      'constraints',
      many(count, () => ({ matchAttribute: 'a/b' })),
    ),
  ),
  ...around(32, (count) =>
    claim(
      'config',
      many(count, () => ({ opaque: opaqueOf(20) })),
    ),
  ),
  claim('config', [{}, { opaque: {} }, { opaque: { driver: 'a', parameters: null } }]),
  ...around(10_240, (bytes) => claim('config', [{ opaque: opaqueOf(bytes) }])),
  ...['gpu/big', 'any/none', 'any/big/more', 'any/', '/big', 'GPU', 'any'].map((name) =>
    claim('constraints.0.requests', [name, 'gpu', 'gpu']),
  ),
  ...around(32, (count) =>
    claim(
      'config.0.requests',
      many(count, (index) => `r${index}`),
    ),
  ),
];

const status = (path: string, value: JsonValue, before = 0): DeviceCase => ({
  kind: claimKind,
  object: changed(claimKind, 2, path === '' ? 'status' : `status.${path}`, value),
  previous: structuredClone(deviceExamples[claimKind]![before]!),
  subresource: 'status',
});
const users = (count: number) =>
  many(count, (index) => ({ resource: 'pods', name: `p${index}`, uid: `${index}` }));
const result = { request: 'gpu', driver: 'gpu.example.com', pool: 'p', device: 'd' };

const statuses: DeviceCase[] = [
  status('', {}, 2),
  status('', { reservedFor: users(1) }),
  ...around(256, (count) => status('reservedFor', users(count))),
  status('reservedFor', [{ resource: '', name: '', uid: '' }, ...users(1), ...users(1)]),
  status('allocation.devices.results.0.device', 'gpu-9', 2),
  ...around(32, (count) =>
    status(
      'allocation.devices.results',
      many(count, (index) => ({ ...result, device: `d${index}` })),
    ),
  ),
  ...around(64, (count) =>
    status(
      'allocation.devices.config',
      many(count, () => ({ source: 'FromClass', opaque: opaqueOf(20) })),
    ),
  ),
  status('allocation.devices.config', [
    { source: '' },
    { source: 'FromMoon', requests: ['gpu', 'gpu', 'x'] },
  ]),
  status('allocation.devices.results', [
    { ...result, request: 'x/y/z', driver: '', pool: '', device: '' },
    { ...result, shareID: 'no' },
    { ...result, shareID: '6B8F2F0E-0C1B-4D9E-9D6C-2A3F0F1B2C3D' },
    { ...result, bindingConditions: ['a', 'a'], bindingFailureConditions: ['a'] },
  ]),
  status('allocation.nodeSelector', { nodeSelectorTerms: [] }),
  ...around(8, (count) =>
    status(
      'devices.0.conditions',
      many(count, (index) => ({
        ...{ type: `C${index}`, status: 'True', reason: 'R', message: '' },
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    ),
  ),
  status('devices.0.device', 'other'),
  status('devices.1.shareID', '6b8f2f0e-0c1b-4d9e-9d6c-2a3f0f1b2c30'),
  status(
    'devices',
    many(2, () => ({ driver: 'gpu.example.com', pool: 'pool/a', device: 'gpu-0' })),
  ),
  ...around(10_240, (bytes) => status('devices.0.data', opaqueOf(bytes).parameters)),
  ...around(256, (count) => status('devices.0.networkData.interfaceName', text(count))),
  ...around(128, (count) => status('devices.0.networkData.hardwareAddress', text(count))),
  ...around(16, (count) =>
    status(
      'devices.0.networkData.ips',
      many(count, (index) => `10.0.0.${index}/24`),
    ),
  ),
  status('devices.0.networkData.ips', [
    '10.0.0.1',
    '10.0.0.1/24',
    '10.0.0.1/24',
    '010.0.0.1/24',
    '2001:DB8::1/64',
  ]),
];

const classKind = 'resource.k8s.io/v1/DeviceClass';
const classOf = (path: string, value: JsonValue, previous?: JsonValue): DeviceCase => ({
  kind: classKind,
  object: changed(classKind, 0, `spec.${path}`, value),
  ...(previous === undefined ? {} : { previous: changed(classKind, 0, `spec.${path}`, previous) }),
});
const large = [{ opaque: opaqueOf(20_000) }];

const classes: DeviceCase[] = [
  classOf('config', large),
  classOf('config', large, large),
  classOf('config', large, []),
  ...around(32, (count) =>
    classOf(
      'config',
      many(count, () => ({ opaque: opaqueOf(20) })),
    ),
  ),
  ...['gpu', 'example.com/gpu', 'kubernetes.io/gpu', 'requests.example.com/gpu', `a/${text(64)}`, ''].map(
    (name) => classOf('extendedResourceName', name),
  ),
];

/** Taints that have not changed are not looked at again, whatever they are. */
const updates: DeviceCase[] = [
  [{ key: '', timeAdded: taint.timeAdded }],
  [{ key: 'a', effect: 'Never', timeAdded: taint.timeAdded }],
].flatMap((taints) =>
  [taints, [taint]].map((before) => ({
    ...device('taints', taints as JsonValue),
    previous: device('taints', before as JsonValue).object,
  })),
);

export const deviceBounds: readonly DeviceCase[] = [
  ...[slices, policies, claims, statuses, classes, updates].flat(),
  ...['driver', 'pool.name', 'nodeName'].map((path) => ({
    ...slice(0, path, 'other'),
    previous: deviceExamples[sliceKind]![0]!,
  })),
];
