import { type Described, longAgo, metadata, namespaced } from './described.ts';
import { podVolumes } from './volumes.ts';

const probes = {
  livenessProbe: {
    httpGet: { path: '/health z?a=b', port: 8080, scheme: 'HTTPS', host: '::1' },
    initialDelaySeconds: 3,
    periodSeconds: 7,
  },
  readinessProbe: { exec: { command: ['sh', '-c', 'test -e /ready'] }, failureThreshold: 9 },
  startupProbe: { grpc: { port: 9090, service: 'shop' } },
};

const env = [
  { name: 'PLAIN', value: 'word' },
  { name: 'EMPTY' },
  { name: 'LINES', value: 'one\ntwo' },
  { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  { name: 'LABEL', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
  { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  { name: 'CPU', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } },
  { name: 'MEMORY', valueFrom: { resourceFieldRef: { resource: 'requests.memory' } } },
  { name: 'STORAGE', valueFrom: { resourceFieldRef: { resource: 'limits.ephemeral-storage' } } },
  { name: 'KEY', valueFrom: { secretKeyRef: { name: 'words', key: 'word' } } },
  { name: 'MAYBE', valueFrom: { configMapKeyRef: { name: 'map', key: 'key', optional: true } } },
];

const envFrom = [
  { configMapRef: { name: 'map' } },
  { secretRef: { name: 'words', optional: true }, prefix: 'P_' },
];

const richContainer = {
  ...{ name: 'web', image: 'web:1', command: ['sh', '-c'], args: ['echo a\necho b', 'c'] },
  ports: [
    { containerPort: 80, name: 'http' },
    { containerPort: 53, protocol: 'UDP', hostPort: 5353 },
  ],
  resources: {
    requests: { cpu: '0.1', memory: '1024Mi' },
    limits: { cpu: '1500m', memory: '2Gi', 'example.com/gpu': '1' },
  },
  securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/a.json' } },
  ...{ ...probes, env, envFrom },
  volumeMounts: [
    { name: 'scratch', mountPath: '/z', readOnly: true },
    { name: 'scratch', mountPath: '/a', subPath: 'with "quotes"' },
  ],
};

const plainContainer = {
  ...{ name: 'plain', image: 'plain:1', ports: [{ containerPort: 1 }] },
  env: [{ name: 'ALL', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }],
  readinessProbe: { tcpSocket: { port: 'x' } },
  volumeDevices: [{ name: 'block', devicePath: '/dev/b' }],
};

/** What pods of every form may say. */
export const richTemplate = {
  metadata: { labels: metadata.labels, annotations: metadata.annotations },
  spec: {
    initContainers: [
      { name: 'first', image: 'first:1' },
      { name: 'beside', image: 'beside:1', restartPolicy: 'Always' },
    ],
    containers: [richContainer, plainContainer],
    volumes: podVolumes,
    nodeSelector: { disk: 'fast', zone: 'a' },
    tolerations: [
      { key: 'z', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
      { key: 'a', value: 'b', effect: 'NoSchedule' },
      { operator: 'Exists' },
    ],
    topologySpreadConstraints: [
      {
        ...{ maxSkew: 2, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
        labelSelector: { matchLabels: { app: 'web' } },
      },
      {
        ...{ maxSkew: 1, topologyKey: 'host', whenUnsatisfiable: 'ScheduleAnyway' },
        labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['b', 'a'] }] },
      },
    ],
    serviceAccountName: 'robot',
    automountServiceAccountToken: false,
    priorityClassName: 'high',
  },
};

const terminated = {
  ...{ exitCode: 137, signal: 9, reason: 'OOMKilled', message: 'too\nmuch' },
  ...{ startedAt: longAgo, finishedAt: longAgo, containerID: 'x://old' },
};
const statusOf = (name: string, state: object, more: object = {}) => ({
  ...{ name, state, ready: false, restartCount: 0, image: `${name}:1`, imageID: `x@${name}` },
  ...{ containerID: `x://${name}`, ...more },
});

const podStatus = {
  phase: 'Running',
  ...{ reason: 'Because', message: 'of something' },
  ...{ hostIP: '10.0.0.1', podIP: '10.1.0.2', podIPs: [{ ip: '10.1.0.2' }, { ip: 'fd00::2' }] },
  ...{ startTime: longAgo, qosClass: 'Burstable' },
  conditions: [
    { type: 'Ready', status: 'False' },
    { type: 'example.com/gate', status: 'True' },
  ],
  initContainerStatuses: [statusOf('first', { terminated: { exitCode: 0, startedAt: longAgo } })],
  containerStatuses: [
    statusOf(
      'web',
      { running: { startedAt: longAgo } },
      { lastState: { terminated }, restartCount: 3, ready: true },
    ),
    statusOf(
      'plain',
      { waiting: { reason: 'CrashLoopBackOff', message: 'hidden' } },
      {
        lastState: { waiting: { reason: 'x' } },
      },
    ),
  ],
  ephemeralContainerStatuses: [statusOf('look', {})],
};

const owner = {
  ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'u1', controller: true },
};

/** Pods. */
export const pods: readonly Described[] = [
  {
    object: namespaced('v1', 'Pod', 'rich', {
      metadata: {
        ...metadata,
        ownerReferences: [owner],
      },
      spec: {
        ...richTemplate.spec,
        readinessGates: [{ conditionType: 'example.com/gate' }, { conditionType: 'example.com/none' }],
        securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        nodeName: 'n1',
      },
    }),
    status: podStatus,
  },
  {
    object: namespaced('v1', 'Pod', 'small', {
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '1', memory: '1Gi' } } }],
        serviceAccountName: 'robot',
        automountServiceAccountToken: false,
      },
    }),
  },
  {
    object: namespaced('v1', 'Pod', 'whole', {
      spec: {
        resources: { requests: { cpu: '1' }, limits: { memory: '2Gi', cpu: '2' } },
        containers: [{ name: 'c', image: 'i' }],
        serviceAccountName: 'robot',
        runtimeClassName: 'sandboxed',
        nodeName: 'n1',
      },
    }),
  },
  {
    object: namespaced('v1', 'Pod', 'done', {
      metadata: { labels: { app: 'done' } },
      spec: { containers: [{ name: 'c', image: 'i' }], nodeName: 'n1', serviceAccountName: 'robot' },
    }),
    status: {
      phase: 'Succeeded',
      containerStatuses: [
        statusOf('c', {
          terminated: { exitCode: 0, reason: 'Completed', startedAt: longAgo, finishedAt: longAgo },
        }),
      ],
    },
  },
  {
    object: namespaced('v1', 'Pod', 'resized', {
      spec: {
        initContainers: [
          { name: 'first', image: 'i', resources: { requests: { cpu: '900m' }, limits: { cpu: '3' } } },
          {
            ...{ name: 'beside', image: 'i', restartPolicy: 'Always' },
            resources: { requests: { cpu: '50m', memory: '10Mi' }, limits: { memory: '20Mi' } },
          },
        ],
        containers: [
          {
            ...{ name: 'c', image: 'i' },
            resources: {
              requests: { cpu: '100m', 'hugepages-2Mi': '2Mi' },
              limits: { cpu: '1', 'hugepages-2Mi': '2Mi' },
            },
          },
        ],
        ...{ nodeName: 'n1', serviceAccountName: 'robot', automountServiceAccountToken: false },
      },
    }),
    status: {
      phase: 'Running',
      containerStatuses: [
        statusOf(
          'c',
          { running: { startedAt: longAgo } },
          {
            allocatedResources: { cpu: '300m' },
            resources: { requests: { cpu: '200m' }, limits: { cpu: '2' } },
          },
        ),
      ],
      initContainerStatuses: [
        statusOf(
          'beside',
          { running: { startedAt: longAgo } },
          {
            resources: { requests: { memory: '30Mi' }, limits: { memory: '40Mi' } },
          },
        ),
      ],
    },
  },
  {
    object: namespaced('v1', 'Pod', 'ending', {
      metadata: { finalizers: ['example.com/kept'] },
      spec: {
        containers: [{ name: 'c', image: 'i' }],
        ...{ nodeName: 'n1', serviceAccountName: 'robot', automountServiceAccountToken: false },
      },
    }),
    isDeleted: true,
  },
];
