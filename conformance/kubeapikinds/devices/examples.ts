/** Sound classes, claims, templates and slices of devices, in all that they can say. */
import type { JsonObject } from '@wherry/kubeapi';

const clusterWide = { metadata: { name: 'web' } };
const inNamespace = { metadata: { name: 'web', namespace: 'default' } };
const driver = 'gpu.example.com';
const opaque = { driver, parameters: { a: 'b' } };
const uid = '6b8f2f0e-0c1b-4d9e-9d6c-2a3f0f1b2c3d';
const nodeSelector = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }],
};

const requests: JsonObject[] = [
  {
    name: 'gpu',
    exactly: {
      ...{ deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2, adminAccess: true },
      selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }],
      tolerations: [
        { key: 'example.com/old', operator: 'Equal', value: 'a', effect: 'NoSchedule' },
        { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      ],
      capacity: { requests: { memory: '1Gi' } },
    },
  },
  {
    name: 'any',
    firstAvailable: [
      { name: 'big', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
      { name: 'all', deviceClassName: 'gpu', allocationMode: 'All' },
    ],
  },
];

const spec: JsonObject = {
  devices: {
    requests,
    constraints: [
      { requests: ['gpu', 'any/big'], matchAttribute: 'example.com/numa' },
      { distinctAttribute: 'example.com/slot' },
    ],
    config: [{ requests: ['gpu', 'any'], opaque }, { opaque }],
  },
};

const user = { resource: 'pods', name: 'web', uid };

/** Shared devices have an id of the share. */
const results: JsonObject[] = [
  { request: 'gpu', driver, pool: 'pool/a', device: 'gpu-0' },
  {
    ...{ request: 'any/big', driver, pool: 'pool/a', device: 'gpu-1', shareID: uid },
    ...{ consumedCapacity: { memory: '1Gi' }, adminAccess: true },
    ...{ bindingConditions: ['example.com/ready'], bindingFailureConditions: ['example.com/failed'] },
    tolerations: [{ operator: 'Exists' }],
  },
];

const allocation: JsonObject = {
  nodeSelector,
  devices: {
    results,
    config: [
      { source: 'FromClass', opaque },
      { source: 'FromClaim', requests: ['gpu', 'any'], opaque },
    ],
  },
};

const told: JsonObject[] = [
  {
    ...{ driver, pool: 'pool/a', device: 'gpu-0', data: { a: 1 } },
    conditions: [
      {
        ...{ type: 'Ready', status: 'True', reason: 'Up', message: 'is up', observedGeneration: 1 },
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
    networkData: {
      interfaceName: 'net0',
      hardwareAddress: '02:00:00:00:00:01',
      ips: ['10.0.0.1/24', '2001:db8::1/64'],
    },
  },
  { driver, pool: 'pool/a', device: 'gpu-1', shareID: uid },
];

const slice = (more: JsonObject): JsonObject => ({
  ...clusterWide,
  spec: { driver, pool: { name: 'pool/a', generation: 1, resourceSliceCount: 1 }, ...more },
});

const timeAdded = '2026-01-01T00:00:00Z';

/** By kind. */
export const deviceExamples: Readonly<Record<string, readonly JsonObject[]>> = {
  'resource.k8s.io/v1/DeviceClass': [
    {
      ...clusterWide,
      spec: {
        selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }],
        config: [{ opaque }],
        extendedResourceName: 'example.com/gpu',
      },
    },
  ],
  'resource.k8s.io/v1/ResourceClaim': [
    { ...inNamespace, spec },
    { ...inNamespace, spec, status: { reservedFor: [user], allocation } },
    { ...inNamespace, spec, status: { reservedFor: [user], allocation, devices: told } },
  ],
  'resource.k8s.io/v1/ResourceClaimTemplate': [
    { ...inNamespace, spec: { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } }, spec } },
  ],
  'resource.k8s.io/v1/ResourceSlice': [
    slice({
      nodeName: 'node',
      devices: [
        {
          name: 'gpu-0',
          attributes: {
            model: { string: 'a' },
            'example.com/version': { version: '1.0.0-rc.1+build' },
            slot: { int: 3 },
            fast: { bool: true },
          },
          capacity: { memory: { value: '1Gi' }, 'example.com/cores': { value: '8' } },
        },
        {
          name: 'gpu-1',
          ...{ bindsToNode: true, bindingConditions: ['ready'], bindingFailureConditions: ['failed'] },
          taints: [{ key: 'example.com/old', value: 'a', effect: 'NoSchedule', timeAdded }],
        },
      ],
    }),
    slice({
      allNodes: true,
      devices: [
        {
          name: 'shared',
          allowMultipleAllocations: true,
          capacity: {
            memory: {
              value: '8Gi',
              requestPolicy: {
                default: '1Gi',
                validRange: { min: '1Gi', max: '7Gi', step: '2Gi' },
              },
            },
            cores: { value: '8', requestPolicy: { default: '1', validValues: ['1', '2', '8'] } },
          },
        },
      ],
    }),
    slice({
      perDeviceNodeSelection: true,
      devices: [
        {
          ...{ name: 'part-0', nodeName: 'node' },
          consumesCounters: [{ counterSet: 'gpu-0', counters: { memory: { value: '1Gi' } } }],
        },
        { name: 'part-1', nodeSelector },
        { name: 'part-2', allNodes: true },
      ],
    }),
    slice({
      nodeSelector,
      sharedCounters: [
        { name: 'gpu-0', counters: { memory: { value: '4Gi' }, cores: { value: '8' } } },
        { name: 'gpu-1', counters: { memory: { value: '4Gi' } } },
      ],
    }),
  ],
};
