/** What troubleshoot's programs are told to collect and to judge, and what it is collected of. */
import { testImage } from '../../../e2e/image.ts';
import { podOf, scriptPod } from '../../../e2e/node.ts';

const namespace = 'default';
const apiVersion = 'troubleshoot.sh/v1beta2';

const serve = [
  'mkdir -p /data/sub; echo one > /data/a; echo two > /data/sub/b',
  'n=0; while [ $n -lt 2000 ]; do n=$((n+1)); echo line $n password=topsecret; done',
  'exec httpd -f -p 8080 -h /data',
].join('; ');
const container = { name: 'main', image: testImage, imagePullPolicy: 'Never' };
const labels = { app: 'shop' };

const workload = (kind: string, name: string, template: object, spec: object) => ({
  ...{ apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, metadata: { name } },
  spec: { ...spec, template: { metadata: { labels }, spec: template } },
});

/** A shop that is well, beside what is not. */
export const objects = [
  workload(
    'Deployment',
    'shop',
    {
      terminationGracePeriodSeconds: 0,
      initContainers: [{ ...container, name: 'prepare', command: ['echo', 'prepared'] }],
      containers: [{ ...container, command: ['sh', '-c', serve] }],
    },
    { replicas: 2, selector: { matchLabels: labels } },
  ),
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'shop' } },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { level: 'high' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { word: 'hidden' } },
  scriptPod('falls', 'echo falling; exit 3'),
  podOf('imageless', { image: 'nowhere.invalid/none:1', imagePullPolicy: 'IfNotPresent' }),
];

const chosen = { namespace, selector: ['app=shop'], containerName: 'main' };
const shell = (name: string, script: string, timeout = '20s') => ({
  exec: { ...{ name, collectorName: name }, ...chosen, command: ['sh'], args: ['-c', script], timeout },
});
const runs = (name: string, script: string, more: object = {}) => ({
  runPod: {
    ...{ name, collectorName: name, namespace, timeout: '60s' },
    podSpec: {
      restartPolicy: 'Never',
      containers: [{ ...container, command: ['sh', '-c', script], ...more }],
    },
  },
});

const collectors = [
  { clusterInfo: {} },
  { clusterResources: {} },
  { logs: { name: 'tail', namespace, selector: ['app=shop'], limits: { maxLines: 500 } } },
  shell('said', 'seq 1 20000; echo oops >&2'),
  shell('failing', 'echo part; exit 7'),
  shell('slow', 'echo begun; sleep 1000', '3s'),
  {
    copy: {
      ...{ name: 'copied', collectorName: 'copied' },
      ...chosen,
      containerPath: '/data',
      extractArchive: true,
    },
  },
  {
    copyFromHost: {
      ...{ name: 'machine', namespace, image: testImage, imagePullPolicy: 'Never', timeout: '60s' },
      ...{ hostPath: '/etc/hostname', extractArchive: true },
    },
  },
  { sysctl: { name: 'kernel', namespace, image: testImage, imagePullPolicy: 'Never', timeout: '60s' } },
  runs('asks', 'echo hi; wget -qO- http://shop/a'),
  runs('gives-up', 'echo no; exit 4'),
  runs('nowhere', 'true', { image: 'nowhere.invalid/none:2', imagePullPolicy: 'Always' }),
  {
    runDaemonSet: {
      ...{ name: 'everywhere', collectorName: 'everywhere', namespace, timeout: '60s' },
      podSpec: { containers: [{ ...container, command: ['echo', 'on it'] }] },
    },
  },
  { data: { name: 'config/replicas.txt', data: '5' } },
  { configMap: { name: 'settings', namespace, includeAllData: true } },
  { secret: { name: 'login', namespace, key: 'word', includeValue: true } },
  { secret: { collectorName: 'absent', name: 'absent', namespace } },
  { nodeMetrics: {} },
];

const outcomes = (fail: object, pass: object) => ({ outcomes: [{ fail }, { pass }] });
const unless = (when: string) => outcomes({ when, message: 'no' }, { message: 'yes' });
const ifThere = outcomes({ message: 'no' }, { message: 'yes' });

const analyzers = [
  { clusterVersion: { checkName: 'version', ...unless('< 1.36.0') } },
  { deploymentStatus: { name: 'shop', namespace, ...unless('< 2') } },
  {
    clusterPodStatuses: {
      namespaces: [namespace],
      outcomes: [{ fail: { when: '!= Healthy', message: '{{ .Name }} {{ .Status.Reason }}' } }],
    },
  },
  {
    clusterContainerStatuses: {
      namespaces: [namespace],
      outcomes: [{ fail: { when: '== CrashLoopBackOff', message: '{{ .PodName }} comes and goes' } }],
    },
  },
  { storageClass: { checkName: 'class', storageClassName: 'standard', ...ifThere } },
  {
    nodeResources: {
      checkName: 'machine',
      filters: { cpuCapacity: '1', memoryAllocatable: '1Gi', podCapacity: '110' },
      ...unless('< 1'),
    },
  },
  { textAnalyze: { checkName: 'answer', fileName: 'asks/asks.log', regex: 'one', ...ifThere } },
  {
    customResourceDefinition: {
      checkName: 'kind',
      customResourceDefinitionName: 'a.example.com',
      ...ifThere,
    },
  },
];

/** A bundle of all that. */
export const bundle = {
  ...{ apiVersion, kind: 'SupportBundle', metadata: { name: 'whole' } },
  spec: { collectors, analyzers },
};

/** What nobody else is to read in it. */
export const redactor = {
  ...{ apiVersion, kind: 'Redactor', metadata: { name: 'ours' } },
  spec: {
    redactors: [
      { name: 'passwords', removals: { regex: [{ redactor: '(password=)(?P<mask>\\S+)' }] } },
      { name: 'word', removals: { values: ['hidden'] } },
    ],
  },
};

/** A preflight of what is there, and of more memory than a machine has. */
export const preflight = (memory: string) => ({
  ...{ apiVersion, kind: 'Preflight', metadata: { name: 'may-install' } },
  spec: {
    collectors: [runs('reaches', 'wget -qO- http://shop/a')],
    analyzers: [
      { nodeResources: { checkName: 'memory', ...unless(`sum(memoryAllocatable) < ${memory}`) } },
      { textAnalyze: { checkName: 'web', fileName: 'reaches/reaches.log', regex: 'one', ...ifThere } },
    ],
  },
});
