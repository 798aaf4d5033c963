/** What absent fields of a message mean, where the answer depends on other fields. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts';
import { items, object } from './parts.ts';
import { defaultPod, defaultPodAddresses, defaultPodSpec, defaultPullPolicy, defaultVolume } from './pod.ts';

/** Fills in fields of one message, in place. Runs before the constants and before the parts of the message. */
export type ComputedDefault = (object: JsonObject) => void;

/** Computed defaults by message. */
export const computedDefaults: Readonly<Record<string, ComputedDefault>> = {
  Pod: defaultPod,
  PodSpec: defaultPodSpec,
  PodStatus: (status) => defaultPodAddresses(status),
  Container: (container) => defaultPullPolicy(container, 'imagePullPolicy', container['image']),
  EphemeralContainerCommon: (container) =>
    defaultPullPolicy(container, 'imagePullPolicy', container['image']),
  ImageVolumeSource: (source) => defaultPullPolicy(source, 'pullPolicy', source['reference']),
  Volume: defaultVolume,
  Service: defaultService,
  Namespace: defaultNamespace,
  NodeSpec: defaultNodeRanges,
  NodeStatus: (status) => {
    if (status['capacity'] !== undefined) status['allocatable'] ??= { ...(status['capacity'] as JsonObject) };
  },
  Secret: defaultSecretData,
  PersistentVolume: (volume) => {
    const spec = object(volume['spec']);
    spec['persistentVolumeReclaimPolicy'] ||= 'Retain';
    spec['volumeMode'] ??= 'Filesystem';
  },
  LimitRangeItem: defaultLimitRange,
  ReplicationController: defaultReplicationController,
  Job: defaultJob,
  DeploymentStrategy: defaultRollingUpdate,
  DaemonSetUpdateStrategy: defaultRollingUpdate,
  StatefulSetSpec: defaultClaimTemplates,
  StatefulSetUpdateStrategy: defaultStatefulSetStrategy,
  HorizontalPodAutoscalerSpec: defaultAutoscaler,
  Subject: defaultSubject,
  NetworkPolicySpec: defaultPolicyTypes,
};

function defaultNodeRanges(spec: JsonObject): void {
  const ranges = Array.isArray(spec['podCIDRs']) ? spec['podCIDRs'] : [];
  const range = spec['podCIDR'] || ranges[0];
  if (!range) return;
  spec['podCIDR'] = range;
  if (ranges[0] !== range) spec['podCIDRs'] = [range];
}

/** Texts become data, and are never stored as texts. */
function defaultSecretData(secret: JsonObject): void {
  const { stringData } = secret;
  delete secret['stringData'];
  if (!isJsonObject(stringData)) return;
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(String(text)).toString('base64'),
  ]);
  secret['data'] = { ...object(secret['data']), ...Object.fromEntries(encoded) };
}

function defaultService(service: JsonObject): void {
  const spec = object(service['spec']);
  const type = spec['type'] || 'ClusterIP';
  defaultSessionAffinity(spec);
  for (const port of items(spec['ports'])) {
    port['protocol'] ||= 'TCP';
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = port['port'] ?? 0;
    }
  }
  const hasExternalAddresses = Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0;
  const isExternal =
    type === 'NodePort' || type === 'LoadBalancer' || (type === 'ClusterIP' && hasExternalAddresses);
  if (isExternal) spec['externalTrafficPolicy'] ||= 'Cluster';
  if (type !== 'ExternalName') spec['internalTrafficPolicy'] ??= 'Cluster';
  if (type === 'LoadBalancer') spec['allocateLoadBalancerNodePorts'] ??= true;
}

function defaultSessionAffinity(spec: JsonObject): void {
  if (spec['sessionAffinity'] !== 'ClientIP') {
    delete spec['sessionAffinityConfig'];
    return;
  }
  const clientAddress = object(object(spec['sessionAffinityConfig'])['clientIP']);
  clientAddress['timeoutSeconds'] ??= 10_800;
  spec['sessionAffinityConfig'] = { clientIP: clientAddress };
}

function defaultNamespace(namespace: JsonObject): void {
  const metadata = object(namespace['metadata']);
  if (!metadata['name']) return;
  metadata['labels'] = { ...object(metadata['labels']), 'kubernetes.io/metadata.name': metadata['name'] };
}

function defaultLimitRange(item: JsonObject): void {
  if (item['type'] !== 'Container') return;
  item['default'] = { ...object(item['max']), ...object(item['default']) };
  item['defaultRequest'] = { ...object(item['min']), ...item['default'], ...object(item['defaultRequest']) };
}

const template = (holder: JsonObject) =>
  object(object(object(holder['spec'])['template'])['metadata'])['labels'];

function defaultLabels(holder: JsonObject, labels: JsonValue | undefined): void {
  const metadata = object(holder['metadata']);
  if (isJsonObject(labels) && Object.keys(object(metadata['labels'])).length === 0)
    metadata['labels'] = { ...labels };
}

function defaultReplicationController(controller: JsonObject): void {
  const labels = template(controller);
  const spec = object(controller['spec']);
  if (isJsonObject(labels) && Object.keys(object(spec['selector'])).length === 0)
    spec['selector'] = { ...labels };
  defaultLabels(controller, labels);
}

const int32Max = 2 ** 31 - 1;

function defaultJob(job: JsonObject): void {
  defaultLabels(job, template(job));
  const spec = object(job['spec']);
  spec['completionMode'] ??= 'NonIndexed';
  spec['suspend'] ??= false;
  spec['manualSelector'] ??= false;
  if (spec['parallelism'] === undefined) spec['completions'] ??= 1;
  spec['parallelism'] ??= 1;
  spec['backoffLimit'] ??= spec['backoffLimitPerIndex'] === undefined ? 6 : int32Max;
  spec['podReplacementPolicy'] ??= spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed';
}

function defaultRollingUpdate(strategy: JsonObject): void {
  if (!strategy['type'] || strategy['type'] === 'RollingUpdate') strategy['rollingUpdate'] ??= {};
}

function defaultStatefulSetStrategy(strategy: JsonObject): void {
  if (!strategy['type']) {
    strategy['type'] = 'RollingUpdate';
    strategy['rollingUpdate'] ??= {};
  }
  if (strategy['type'] === 'RollingUpdate' && isJsonObject(strategy['rollingUpdate'])) {
    strategy['rollingUpdate']['partition'] ??= 0;
  }
}

function defaultClaimTemplates(spec: JsonObject): void {
  for (const claim of items(spec['volumeClaimTemplates'])) {
    claim['apiVersion'] = 'v1';
    claim['kind'] = 'PersistentVolumeClaim';
  }
}

const mostCpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};
const growByPodsOrDouble = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const shrinkAtOnce = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

function defaultAutoscaler(spec: JsonObject): void {
  if (items(spec['metrics']).length === 0) spec['metrics'] = [structuredClone(mostCpu)];
  const { behavior } = spec;
  if (!isJsonObject(behavior)) return;
  const grow = {
    selectPolicy: 'Max',
    stabilizationWindowSeconds: 0,
    policies: structuredClone(growByPodsOrDouble),
  };
  const shrink = { selectPolicy: 'Max', policies: structuredClone(shrinkAtOnce) };
  behavior['scaleUp'] = { ...grow, ...object(behavior['scaleUp']) };
  behavior['scaleDown'] = { ...shrink, ...object(behavior['scaleDown']) };
}

function defaultSubject(subject: JsonObject): void {
  if (subject['kind'] === 'User' || subject['kind'] === 'Group')
    subject['apiGroup'] ||= 'rbac.authorization.k8s.io';
}

function defaultPolicyTypes(spec: JsonObject): void {
  if (Array.isArray(spec['policyTypes']) && spec['policyTypes'].length > 0) return;
  const hasEgress = Array.isArray(spec['egress']) && spec['egress'].length > 0;
  spec['policyTypes'] = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
}
