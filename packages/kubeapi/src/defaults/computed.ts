/** What absent fields of a message mean, where the answer depends on other fields. */
import type { JsonObject, JsonValue } from '../json-value.ts';
import { isJsonObject } from '../json-value.ts';

/** Fills in fields of one message, in place. Runs before the constants and before the parts of the message. */
export type ComputedDefault = (object: JsonObject) => void;

/** Computed defaults by message. */
export const computedDefaults: Readonly<Record<string, ComputedDefault>> = {
  Pod: defaultPod,
  PodSpec: defaultServiceAccount,
  Container: (container) => defaultPullPolicy(container, 'imagePullPolicy', container['image']),
  EphemeralContainerCommon: (container) =>
    defaultPullPolicy(container, 'imagePullPolicy', container['image']),
  ImageVolumeSource: (source) => defaultPullPolicy(source, 'pullPolicy', source['reference']),
  Volume: defaultVolume,
  Service: defaultService,
  Namespace: defaultNamespace,
  NodeStatus: (status) => {
    if (status['capacity'] !== undefined) status['allocatable'] ??= { ...(status['capacity'] as JsonObject) };
  },
  LimitRangeItem: defaultLimitRange,
  ReplicationController: defaultReplicationController,
  Job: (job) => defaultLabels(job, template(job)),
  JobSpec: defaultJobSpec,
  DeploymentStrategy: defaultRollingUpdate,
  DaemonSetUpdateStrategy: defaultRollingUpdate,
  StatefulSetUpdateStrategy: defaultStatefulSetStrategy,
  Subject: defaultSubject,
  NetworkPolicySpec: defaultPolicyTypes,
};

const items = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];
const object = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

function defaultPod(pod: JsonObject): void {
  const spec = object(pod['spec']);
  const containers = [...items(spec['containers']), ...items(spec['initContainers'])];
  for (const container of containers) defaultRequests(container);
  if (spec['hostNetwork'] === true) {
    for (const port of containers.flatMap((container) => items(container['ports']))) {
      if (!port['hostPort'] && port['containerPort']) port['hostPort'] = port['containerPort'];
    }
  }
  spec['enableServiceLinks'] ??= true;
}

/** A limit without a request is a request too. */
function defaultRequests(container: JsonObject): void {
  const resources = container['resources'];
  if (!isJsonObject(resources) || !isJsonObject(resources['limits'])) return;
  resources['requests'] = { ...resources['limits'], ...object(resources['requests']) };
}

/** `serviceAccount` is the old name of `serviceAccountName`; both always say the same. */
function defaultServiceAccount(spec: JsonObject): void {
  const name = spec['serviceAccountName'] || spec['serviceAccount'];
  if (!name) return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

function defaultPullPolicy(holder: JsonObject, key: string, image: JsonValue | undefined): void {
  holder[key] ||= imageTag(typeof image === 'string' ? image : '') === 'latest' ? 'Always' : 'IfNotPresent';
}

/** The tag of an image name: `latest` when it has neither tag nor digest, empty when it has a digest alone. */
export function imageTag(image: string): string {
  const [name = '', digest] = image.split('@', 2);
  const lastSegment = name.slice(name.lastIndexOf('/') + 1);
  const colon = lastSegment.indexOf(':');
  if (colon >= 0) return lastSegment.slice(colon + 1);
  return digest === undefined && name !== '' ? 'latest' : '';
}

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume['emptyDir'] = {};
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

function defaultJobSpec(spec: JsonObject): void {
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

function defaultSubject(subject: JsonObject): void {
  if (subject['kind'] === 'User' || subject['kind'] === 'Group')
    subject['apiGroup'] ||= 'rbac.authorization.k8s.io';
}

function defaultPolicyTypes(spec: JsonObject): void {
  if (Array.isArray(spec['policyTypes']) && spec['policyTypes'].length > 0) return;
  const hasEgress = Array.isArray(spec['egress']) && spec['egress'].length > 0;
  spec['policyTypes'] = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
}
