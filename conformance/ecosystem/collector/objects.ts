/** OpenTelemetry's collector as a pod of the node that it looks at, and what it finds there. */
import { podOf, scriptPod } from '../../../e2e/node.ts';

export const collectorImage = 'docker.io/library/judged-collector:1';

const namespace = 'default';
const metadata = { name: 'collector' };
const folder = '/told';

/** Where it writes what it finds: `metrics` and `logs`, a document of JSON a line. */
export const fileOf = (kind: string) => `${folder}/${kind}.json`;

const settings = (node: string, kubelet: string) => {
  const auth_type = 'serviceAccount';
  const collection_interval = '2s';
  const enabled = { enabled: true };
  const attributes = ['k8s.pod.name', 'k8s.namespace.name', 'k8s.deployment.name', 'k8s.container.name'];
  return {
    receivers: {
      kubeletstats: {
        ...{ auth_type, collection_interval, endpoint: `https://${kubelet}`, insecure_skip_verify: true },
        ...{ node, k8s_api_config: { auth_type } },
        metric_groups: ['node', 'pod', 'container', 'volume'],
        extra_metadata_labels: ['container.id', 'k8s.volume.type'],
        // Some of it is worked out by the kubelet's page of pods.
        metrics: { 'k8s.container.memory_limit_utilization': enabled, 'k8s.node.uptime': enabled },
      },
      k8s_cluster: {
        ...{ auth_type, collection_interval },
        node_conditions_to_report: ['Ready', 'MemoryPressure'],
        allocatable_types_to_report: ['cpu', 'memory', 'pods'],
      },
      file_log: {
        ...{ include: ['/logs/*/*/*.log'], start_at: 'beginning', include_file_path: true },
        ...{ exclude: ['/logs/*collector*/**'], operators: [{ type: 'container' }] },
      },
    },
    processors: {
      k8s_attributes: {
        ...{ auth_type, wait_for_metadata: true },
        extract: { metadata: attributes, labels: [{ tag_name: 'app', key: 'app', from: 'pod' }] },
        pod_association: [{ sources: [{ from: 'resource_attribute', name: 'k8s.pod.uid' }] }],
      },
    },
    exporters: { 'file/metrics': { path: fileOf('metrics') }, 'file/logs': { path: fileOf('logs') } },
    service: {
      telemetry: { logs: { level: 'warn' }, metrics: { level: 'none' } },
      pipelines: {
        metrics: { receivers: ['kubeletstats', 'k8s_cluster'], exporters: ['file/metrics'] },
        logs: { receivers: ['file_log'], processors: ['k8s_attributes'], exporters: ['file/logs'] },
      },
    },
  };
};

const get = ['get', 'list', 'watch'];
const rules = [
  {
    ...{ apiGroups: [''], verbs: get },
    resources: [
      'nodes',
      'pods',
      'namespaces',
      'replicationcontrollers',
      'resourcequotas',
      'services',
      'events',
    ],
  },
  {
    ...{ apiGroups: [''], verbs: ['get'] },
    resources: ['nodes/stats', 'nodes/pods', 'persistentvolumeclaims', 'persistentvolumes'],
  },
  {
    ...{ apiGroups: ['apps'], verbs: get },
    resources: ['deployments', 'replicasets', 'daemonsets', 'statefulsets'],
  },
  { apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], verbs: get },
  { apiGroups: ['autoscaling'], resources: ['horizontalpodautoscalers'], verbs: get },
];

/** The collector; `kubelet` is address and port, `logs` the folder of its pods' logs on the machine. */
export function collectorObjects(node: string, kubelet: string, logs: string): object[] {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name };
  const rbac = 'rbac.authorization.k8s.io/v1';
  const mounts = { settings: '/settings', logs: '/logs', told: folder };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    { apiVersion: rbac, kind: 'ClusterRole', metadata, rules },
    {
      ...{ apiVersion: rbac, kind: 'ClusterRoleBinding', metadata, roleRef },
      subjects: [{ kind: 'ServiceAccount', name: metadata.name, namespace }],
    },
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata },
      data: { 'collector.json': JSON.stringify(settings(node, kubelet)) },
    },
    podOf(
      metadata.name,
      {
        image: collectorImage,
        command: ['/bin/collector', '--config', '/settings/collector.json'],
        volumeMounts: Object.entries(mounts).map(([name, mountPath]) => ({ name, mountPath })),
      },
      {
        serviceAccountName: metadata.name,
        volumes: [
          { name: 'settings', configMap: { name: metadata.name } },
          { name: 'logs', hostPath: { path: logs } },
          { name: 'told', emptyDir: {} },
        ],
      },
    ),
  ];
}

/** Bytes that the pod `busy` may have. */
export const memoryLimit = 64 << 20;

const longLine = 'head -c 40000 /dev/zero | tr "\\0" x; echo';
const limits = { cpu: '200m', memory: String(memoryLimit) };
const labels = { app: 'shop' };
const shop = podOf('shop', { command: ['sh', '-c', 'echo open; exec sleep 100000'] }).spec;
const job = podOf('sums', { command: ['true'] }, { restartPolicy: 'Never' }).spec;

/** A pod that takes what it may, one that talks, one that falls, a deployment, a job, a claim and a quota. */
export const watchedObjects: object[] = [
  {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'kept' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Mi' } } },
  },
  podOf(
    'busy',
    {
      command: ['sh', '-c', 'head -c 3000000 /dev/zero > /scratch/some; while :; do :; done'],
      resources: { limits },
      volumeMounts: [
        { name: 'scratch', mountPath: '/scratch' },
        { name: 'kept', mountPath: '/kept' },
      ],
    },
    {
      volumes: [
        { name: 'scratch', emptyDir: {} },
        { name: 'kept', persistentVolumeClaim: { claimName: 'kept' } },
      ],
    },
  ),
  scriptPod('talks', `seq 1 2000; ${longLine}; echo oops >&2; exec sleep 100000`),
  scriptPod('falls', 'echo falling; exit 3'),
  {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop' } },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: shop } },
  },
  { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'sums' }, spec: { template: { spec: job } } },
  {
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'most' } },
    spec: { hard: { pods: '20' } },
  },
];
