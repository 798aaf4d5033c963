/**
 * What absent fields of a message mean, where the answer is a constant. Keys are the schema's message names; a value
 * is set when the field is absent, or zero in a field that cannot be absent.
 */
import type { JsonObject } from '../json-value.ts';

const rollingUpdate = { type: 'RollingUpdate' };
const retain = { whenDeleted: 'Retain', whenScaled: 'Retain' };
const webhook: JsonObject = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};
const fileMode = { defaultMode: 0o644 };

/** Constant defaults by message. */
export const constantDefaults: Readonly<Record<string, JsonObject>> = {
  PodSpec: {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  },
  Container: { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
  EphemeralContainerCommon: {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  },
  Probe: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  HTTPGetAction: { path: '/', scheme: 'HTTP' },
  GRPCAction: { service: '' },
  SecretVolumeSource: fileMode,
  ConfigMapVolumeSource: fileMode,
  DownwardAPIVolumeSource: fileMode,
  ProjectedVolumeSource: fileMode,
  ServiceAccountTokenProjection: { expirationSeconds: 3600 },
  HostPathVolumeSource: { type: '' },
  ObjectFieldSelector: { apiVersion: 'v1' },
  EndpointPort: { protocol: 'TCP' },
  Secret: { type: 'Opaque' },
  ServiceSpec: { sessionAffinity: 'None', type: 'ClusterIP' },
  NamespaceStatus: { phase: 'Active' },
  PersistentVolumeStatus: { phase: 'Pending' },
  PersistentVolumeClaimStatus: { phase: 'Pending' },
  PersistentVolumeClaimSpec: { volumeMode: 'Filesystem' },
  ReplicationControllerSpec: { replicas: 1 },
  DeploymentSpec: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  DeploymentStrategy: rollingUpdate,
  RollingUpdateDeployment: { maxUnavailable: '25%', maxSurge: '25%' },
  DaemonSetSpec: { revisionHistoryLimit: 10 },
  DaemonSetUpdateStrategy: rollingUpdate,
  RollingUpdateDaemonSet: { maxUnavailable: 1, maxSurge: 0 },
  StatefulSetSpec: {
    podManagementPolicy: 'OrderedReady',
    persistentVolumeClaimRetentionPolicy: {},
    replicas: 1,
    revisionHistoryLimit: 10,
  },
  StatefulSetPersistentVolumeClaimRetentionPolicy: retain,
  ReplicaSetSpec: { replicas: 1 },
  CronJobSpec: {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  PodFailurePolicyOnPodConditionsPattern: { status: 'True' },
  RoleRef: { apiGroup: 'rbac.authorization.k8s.io' },
  StorageClass: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  CSIDriverSpec: {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  },
  NetworkPolicyPort: { protocol: 'TCP' },
  IngressClassParametersReference: { scope: 'Cluster' },
  HorizontalPodAutoscalerSpec: { minReplicas: 1 },
  AutoscalingV1HorizontalPodAutoscalerSpec: { minReplicas: 1, targetCPUUtilizationPercentage: 80 },
  DiscoveryV1EndpointPort: { name: '', protocol: 'TCP' },
  ValidatingWebhook: webhook,
  MutatingWebhook: { ...webhook, reinvocationPolicy: 'Never' },
  Rule: { scope: '*' },
  ServiceReference: { port: 443 },
  ValidatingAdmissionPolicySpec: { failurePolicy: 'Fail' },
  MutatingAdmissionPolicySpec: { failurePolicy: 'Fail' },
  MatchResources: { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },
  PriorityClass: { preemptionPolicy: 'PreemptLowerPriority' },
  TokenRequestSpec: { expirationSeconds: 3600 },
  FlowSchemaSpec: { matchingPrecedence: 1000 },
  ExemptPriorityLevelConfiguration: { nominalConcurrencyShares: 0, lendablePercent: 0 },
  LimitedPriorityLevelConfiguration: { nominalConcurrencyShares: 30, lendablePercent: 0 },
  QueuingConfiguration: { handSize: 8, queues: 64, queueLengthLimit: 50 },
};
