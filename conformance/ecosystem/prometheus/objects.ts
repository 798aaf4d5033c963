/** Prometheus in a pod with an account of its own, what it watches, and the exporters that stand beside it in most clusters. */
import { testImage } from '../../../e2e/image.ts';
import { config, ruleFile } from './config.ts';

export const prometheusImage = 'docker.io/library/prometheus:judged';
export const exporterImage = 'docker.io/library/node-exporter:judged';
export const monitoring = 'monitoring';

const core = { apiVersion: 'v1' };
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const metadata = { name: 'prometheus', namespace: monitoring };

/** What its documentation has an account read, and the kubelet's and the controllers' pages. */
const policyRules = [
  {
    apiGroups: [''],
    resources: ['nodes', 'nodes/metrics', 'services', 'endpoints', 'pods'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['get', 'list', 'watch'] },
  { nonResourceURLs: ['/metrics'], verbs: ['get'] },
];

const pod = {
  ...{ ...core, kind: 'Pod' },
  metadata: { ...metadata, labels: { app: 'prometheus' } },
  spec: {
    serviceAccountName: 'prometheus',
    securityContext: { runAsNonRoot: true, runAsUser: 65534, fsGroup: 2000 },
    containers: [
      {
        ...{ name: 'prometheus', image: prometheusImage, imagePullPolicy: 'Never' },
        args: ['--config.file=/etc/prometheus/prometheus.json', '--storage.tsdb.path=/prometheus'],
        ports: [{ name: 'web', containerPort: 9090 }],
        readinessProbe: { httpGet: { path: '/-/ready', port: 'web' }, periodSeconds: 1, timeoutSeconds: 20 },
        livenessProbe: { httpGet: { path: '/-/healthy', port: 'web' }, timeoutSeconds: 20 },
        volumeMounts: [
          { name: 'config', mountPath: '/etc/prometheus' },
          { name: 'data', mountPath: '/prometheus' },
        ],
      },
    ],
    volumes: [
      { name: 'config', configMap: { name: 'prometheus' } },
      { name: 'data', emptyDir: {} },
    ],
  },
};

/** Prometheus itself. `authority` is that of the kubelet's certificate, which clusters keep apart from their own. */
export const prometheusObjects = (authority: string) => [
  { ...core, kind: 'Namespace', metadata: { name: monitoring } },
  { ...core, kind: 'ServiceAccount', metadata },
  { ...rbac, kind: 'ClusterRole', metadata: { name: 'prometheus' }, rules: policyRules },
  {
    ...{ ...rbac, kind: 'ClusterRoleBinding', metadata: { name: 'prometheus' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'prometheus' },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  },
  {
    ...{ ...core, kind: 'ConfigMap', metadata },
    data: {
      'prometheus.json': JSON.stringify(config),
      'rules.json': JSON.stringify(ruleFile),
      'kubelet-ca.crt': authority,
    },
  },
  {
    ...{ ...core, kind: 'Service', metadata },
    spec: { selector: { app: 'prometheus' }, ports: [{ name: 'web', port: 9090 }] },
  },
  pod,
];

const labels = { app: 'exporter' };

/** The exporter of the node's own figures on each node, found as a pod, and an ingress and a service that lead to it. */
export const exporterObjects = [
  {
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'exporter' } },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: { 'prometheus.io/scrape': 'true' } },
        spec: {
          ...{ hostPID: true, automountServiceAccountToken: false },
          containers: [
            {
              ...{ name: 'main', image: exporterImage, imagePullPolicy: 'Never' },
              args: [
                ...['--path.rootfs=/host', '--path.procfs=/host/proc', '--path.sysfs=/host/sys'],
                '--path.udev.data=/host/run/udev/data',
              ],
              ports: [{ name: 'metrics', containerPort: 9100 }],
              readinessProbe: {
                httpGet: { path: '/', port: 'metrics' },
                periodSeconds: 1,
                timeoutSeconds: 20,
              },
              volumeMounts: [{ name: 'root', mountPath: '/host', readOnly: true }],
            },
          ],
          volumes: [{ name: 'root', hostPath: { path: '/' } }],
        },
      },
    },
  },
  {
    ...{ ...core, kind: 'Service' },
    metadata: { name: 'exporter', annotations: { 'prometheus.io/probe': 'true' } },
    spec: { selector: labels, ports: [{ name: 'metrics', port: 9100 }] },
  },
  {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'exporter' } },
    spec: {
      rules: [
        {
          host: 'exporter.example.com',
          http: {
            paths: [
              {
                ...{ path: '/metrics', pathType: 'Prefix' },
                backend: { service: { name: 'exporter', port: { name: 'metrics' } } },
              },
            ],
          },
        },
      ],
    },
  },
];

const busy = 'dd if=/dev/zero of=/data/file bs=1M count=8 2>/dev/null; while :; do :; done';

/** A container that would take a whole processor and gets a fifth, with a claim that holds 8 MiB. */
export const busyObjects = [
  {
    ...{ ...core, kind: 'PersistentVolumeClaim', metadata: { name: 'data' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '64Mi' } } },
  },
  {
    ...{ ...core, kind: 'Pod', metadata: { name: 'busy' } },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [
        {
          ...{ name: 'main', image: testImage, imagePullPolicy: 'Never', command: ['sh', '-c', busy] },
          resources: { limits: { cpu: '200m', memory: '64Mi' } },
          livenessProbe: { exec: { command: ['true'] }, periodSeconds: 2 },
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
        {
          // Keeps 24 MiB in memory of its own.
          ...{ name: 'full', image: testImage, imagePullPolicy: 'Never' },
          command: ['sh', '-c', 'dd if=/dev/zero bs=24M count=1 2>/dev/null | { sleep 100000; }'],
        },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  },
];
