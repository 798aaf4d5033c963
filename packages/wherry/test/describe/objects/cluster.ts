import { type Described, longAgo, metadata, namespaced, ofCluster } from './described.ts';

const condition = (type: string, status: string) => ({
  ...{ type, status, reason: `Kubelet${type}`, message: `kubelet says ${type}` },
  ...{ lastHeartbeatTime: longAgo, lastTransitionTime: longAgo },
});

const nodeStatus = {
  capacity: {
    ...{ cpu: '4', memory: '8Gi', 'ephemeral-storage': '100Gi', pods: '110' },
    ...{ 'hugepages-2Mi': '64Mi', 'example.com/gpu': '2', 'example.com/nic': '3' },
  },
  allocatable: {
    ...{ cpu: '3900m', memory: '7Gi', 'ephemeral-storage': '90Gi', pods: '110' },
    ...{ 'hugepages-2Mi': '64Mi', 'example.com/gpu': '2', 'example.com/nic': '3' },
  },
  conditions: [condition('MemoryPressure', 'False'), condition('Ready', 'True')],
  addresses: [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'Hostname', address: 'n1' },
  ],
  nodeInfo: {
    ...{ machineID: 'm', systemUUID: 's', bootID: 'b', kernelVersion: '6.1', osImage: 'Debian' },
    ...{ containerRuntimeVersion: 'wherry://1', kubeletVersion: 'v1.36.2', kubeProxyVersion: '' },
    ...{ operatingSystem: 'linux', architecture: 'amd64' },
  },
};

const deviceSlice = (name: string, driver: string, pool: string, count: number) =>
  ofCluster('resource.k8s.io/v1', 'ResourceSlice', name, {
    spec: {
      ...{ driver, nodeName: 'n1', pool: { name: pool, generation: 1, resourceSliceCount: 1 } },
      devices: Array.from({ length: count }, (_, at) => ({ name: `d${at}` })),
    },
  });

/** Nodes, namespaces with what bounds them, and others. */
export const cluster: readonly Described[] = [
  {
    object: ofCluster('v1', 'Node', 'n1', {
      metadata: {
        annotations: metadata.annotations,
        labels: {
          ...{ 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/control-plane': '' },
          ...{ 'kubernetes.io/role': 'edge', a: 'b' },
        },
      },
      spec: {
        ...{ podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24', 'fd00::/64'], providerID: 'x://n1' },
        unschedulable: true,
        taints: [
          { key: 'z', effect: 'NoSchedule' },
          { key: 'a', value: 'b', effect: 'NoSchedule' },
          { key: 'x', effect: 'NoExecute', timeAdded: longAgo },
        ],
      },
    }),
    status: nodeStatus,
  },
  { object: ofCluster('v1', 'Node', 'bare') },
  {
    object: namespaced('coordination.k8s.io/v1', 'Lease', 'n1', {
      metadata: { namespace: 'kube-node-lease' },
      spec: { holderIdentity: 'n1', renewTime: '2026-01-02T03:04:05.678901Z', leaseDurationSeconds: 40 },
    }),
  },
  { object: deviceSlice('s1', 'a.example.com', 'p', 3) },
  { object: deviceSlice('s2', 'a.example.com', 'q', 1) },
  { object: ofCluster('v1', 'Namespace', 'shop', { metadata }) },
  { object: ofCluster('v1', 'Namespace', 'empty') },
  {
    object: namespaced('v1', 'ResourceQuota', 'quota', {
      metadata: { namespace: 'shop' },
      spec: {
        hard: { pods: '5', 'requests.cpu': '2', 'requests.memory': '1Gi' },
        scopes: ['NotTerminating', 'NotBestEffort'],
      },
    }),
    status: {
      hard: { pods: '5', 'requests.cpu': '2', 'requests.memory': '1Gi' },
      used: { pods: '1', 'requests.cpu': '500m', 'requests.memory': '536870912' },
    },
  },
  {
    object: namespaced('v1', 'ResourceQuota', 'best', {
      metadata: { namespace: 'shop' },
      spec: { hard: { pods: '3' }, scopes: ['BestEffort'] },
    }),
    status: { hard: { pods: '3' }, used: { pods: '0' } },
  },
  {
    object: namespaced('v1', 'LimitRange', 'limits', {
      metadata: { namespace: 'shop' },
      spec: {
        limits: [
          {
            ...{ type: 'Container', max: { cpu: '2' }, min: { cpu: '100m' }, default: { cpu: '1' } },
            ...{ defaultRequest: { cpu: '0.5' }, maxLimitRequestRatio: { cpu: '4' } },
          },
          { type: 'Pod', max: { memory: '2048Mi' } },
        ],
      },
    }),
  },
  {
    object: namespaced('v1', 'ConfigMap', 'map', {
      metadata,
      ...{ data: { key: 'value', file: 'one\ntwo\tthree\n' }, binaryData: { bytes: 'AAECAwT/' } },
    }),
  },
  { object: namespaced('v1', 'ConfigMap', 'none') },
  {
    object: ofCluster('scheduling.k8s.io/v1', 'PriorityClass', 'high', {
      metadata: { annotations: { a: 'b' } },
      ...{ value: 1000, description: 'for what matters', preemptionPolicy: 'Never' },
    }),
  },
  { object: ofCluster('node.k8s.io/v1', 'RuntimeClass', 'sandboxed', { handler: 'runsc' }) },
  {
    object: namespaced('coordination.k8s.io/v1', 'Lease', 'held', {
      metadata,
      spec: { holderIdentity: 'me', leaseTransitions: 3, renewTime: '2026-01-02T03:04:05.678901Z' },
    }),
  },
  {
    object: ofCluster('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'hook', {
      webhooks: [
        {
          ...{ name: 'a.example.com', sideEffects: 'None', admissionReviewVersions: ['v1', 'v1beta1'] },
          clientConfig: { url: 'https://127.0.0.1:1/x' },
          failurePolicy: 'Ignore',
          rules: [
            { apiGroups: ['example.org'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] },
          ],
        },
      ],
    }),
  },
];
