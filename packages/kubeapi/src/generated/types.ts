// Generated from the facts of Kubernetes 1.36.2. Do not edit; make it again: node packages/kubeapi/scripts/generate.ts 36.2

import type { JsonObject, JsonValue, TypeMeta } from '../json-value.ts';

export interface GroupResource {
  group: string;
  resource: string;
}
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}
export interface GroupKind {
  group: string;
  kind: string;
}
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}
export interface GroupVersion {
  group: string;
  version: string;
}
export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
  shardInfo?: ShardInfo;
}
export interface ShardInfo {
  selector: string;
}
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}
export interface ListOptions extends TypeMeta {
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: string;
  timeoutSeconds?: number;
  limit?: number;
  continue?: string;
  sendInitialEvents?: boolean;
  shardSelector?: string;
}
export interface GetOptions extends TypeMeta {
  resourceVersion?: string;
}
export interface DeleteOptions extends TypeMeta {
  gracePeriodSeconds?: number;
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}
export interface CreateOptions extends TypeMeta {
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}
export interface PatchOptions extends TypeMeta {
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: string;
}
export interface ApplyOptions extends TypeMeta {
  dryRun?: string[];
  force: boolean;
  fieldManager: string;
}
export interface UpdateOptions extends TypeMeta {
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}
export interface Status extends TypeMeta {
  metadata: ListMeta;
  status?: string;
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}
export interface List extends TypeMeta {
  metadata: ListMeta;
  items: JsonObject[];
}
export interface APIVersions extends TypeMeta {
  versions: string[];
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[];
}
export interface APIGroupList extends TypeMeta {
  groups: APIGroup[];
}
export interface APIGroup extends TypeMeta {
  name: string;
  versions: GroupVersionForDiscovery[];
  preferredVersion?: GroupVersionForDiscovery;
  serverAddressByClientCIDRs?: ServerAddressByClientCIDR[];
}
export interface ServerAddressByClientCIDR {
  clientCIDR: string;
  serverAddress: string;
}
export interface GroupVersionForDiscovery {
  groupVersion: string;
  version: string;
}
export interface APIResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  group?: string;
  version?: string;
  kind: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}
export interface APIResourceList extends TypeMeta {
  groupVersion: string;
  resources: APIResource[];
}
export interface RootPaths {
  paths: string[];
}
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: LabelSelectorRequirement[];
}
export interface LabelSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}
export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}
export interface Table extends TypeMeta {
  metadata: ListMeta;
  columnDefinitions: TableColumnDefinition[];
  rows: TableRow[];
}
export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}
export interface TableRow {
  cells: JsonValue[];
  conditions?: TableRowCondition[];
  object?: JsonObject;
}
export interface TableRowCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}
export interface TableOptions extends TypeMeta {
  includeObject?: string;
}
export interface PartialObjectMetadata extends TypeMeta {
  metadata: ObjectMeta;
}
export interface PartialObjectMetadataList extends TypeMeta {
  metadata: ListMeta;
  items: PartialObjectMetadata[];
}
export interface Condition {
  type: string;
  status: string;
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}
export interface WatchEvent {
  type: string;
  object: JsonObject;
}
export interface Volume extends VolumeSource {
  name: string;
}
export interface VolumeSource {
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
}
export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean;
}
export interface PersistentVolumeSource {
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
}
export interface PersistentVolume extends TypeMeta {
  metadata: ObjectMeta;
  spec: PersistentVolumeSpec;
  status?: PersistentVolumeStatus;
}
export interface PersistentVolumeSpec extends PersistentVolumeSource {
  capacity?: Record<string, string>;
  accessModes?: PersistentVolumeAccessMode[];
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy;
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: PersistentVolumeMode;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
}
export interface VolumeNodeAffinity {
  required?: NodeSelector;
}
export interface PersistentVolumeStatus {
  phase?: PersistentVolumePhase;
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: string;
}
export interface PersistentVolumeList extends TypeMeta {
  metadata: ListMeta;
  items: PersistentVolume[];
}
export interface PersistentVolumeClaim extends TypeMeta {
  metadata: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
  status?: PersistentVolumeClaimStatus;
}
export interface PersistentVolumeClaimList extends TypeMeta {
  metadata: ListMeta;
  items: PersistentVolumeClaim[];
}
export interface PersistentVolumeClaimSpec {
  accessModes?: PersistentVolumeAccessMode[];
  selector?: LabelSelector;
  resources?: VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: PersistentVolumeMode;
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string;
}
export interface TypedObjectReference {
  apiGroup?: string;
  kind: string;
  name: string;
  namespace?: string;
}
export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string;
  status: PersistentVolumeClaimModifyVolumeStatus;
}
export interface PersistentVolumeClaimCondition {
  type: string;
  status: string;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface PersistentVolumeClaimStatus {
  phase?: PersistentVolumeClaimPhase;
  accessModes?: PersistentVolumeAccessMode[];
  capacity?: Record<string, string>;
  conditions?: PersistentVolumeClaimCondition[];
  allocatedResources?: Record<string, string>;
  allocatedResourceStatuses?: Record<string, ClaimResourceStatus>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
}
export interface HostPathVolumeSource {
  path: string;
  type?: HostPathType;
}
export interface EmptyDirVolumeSource {
  medium?: string;
  sizeLimit?: string;
}
export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
}
export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
}
export interface RBDVolumeSource {
  monitors: string[];
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
export interface RBDPersistentVolumeSource {
  monitors: string[];
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}
export interface CinderVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
export interface CinderPersistentVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
}
export interface CephFSVolumeSource {
  monitors: string[];
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
export interface SecretReference {
  name?: string;
  namespace?: string;
}
export interface CephFSPersistentVolumeSource {
  monitors: string[];
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}
export interface FlockerVolumeSource {
  datasetName?: string;
  datasetUUID?: string;
}
export interface GCEPersistentDiskVolumeSource {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
export interface QuobyteVolumeSource {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
}
export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}
export interface FlexVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}
export interface AWSElasticBlockStoreVolumeSource {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}
export interface GitRepoVolumeSource {
  repository: string;
  revision?: string;
  directory?: string;
}
export interface SecretVolumeSource {
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
}
export interface SecretProjection extends LocalObjectReference {
  items?: KeyToPath[];
  optional?: boolean;
}
export interface NFSVolumeSource {
  server: string;
  path: string;
  readOnly?: boolean;
}
export interface ISCSIVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
}
export interface ISCSIPersistentVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
}
export interface FCVolumeSource {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
}
export interface AzureFileVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
}
export interface AzureFilePersistentVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace?: string;
}
export interface VsphereVirtualDiskVolumeSource {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
}
export interface PhotonPersistentDiskVolumeSource {
  pdID: string;
  fsType?: string;
}
export interface AzureDiskVolumeSource {
  diskName: string;
  diskURI: string;
  cachingMode?: AzureDataDiskCachingMode;
  fsType?: string;
  readOnly?: boolean;
  kind?: AzureDataDiskKind;
}
export interface PortworxVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
}
export interface ScaleIOVolumeSource {
  gateway: string;
  system: string;
  secretRef: LocalObjectReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}
export interface ScaleIOPersistentVolumeSource {
  gateway: string;
  system: string;
  secretRef: SecretReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}
export interface StorageOSVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}
export interface StorageOSPersistentVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
}
export interface ConfigMapVolumeSource extends LocalObjectReference {
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
}
export interface ConfigMapProjection extends LocalObjectReference {
  items?: KeyToPath[];
  optional?: boolean;
}
export interface ServiceAccountTokenProjection {
  audience?: string;
  expirationSeconds?: number;
  path: string;
}
export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: LabelSelector;
  optional?: boolean;
  path: string;
}
export interface PodCertificateProjection {
  signerName: string;
  keyType: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
}
export interface ProjectedVolumeSource {
  sources?: VolumeProjection[];
  defaultMode?: number;
}
export interface VolumeProjection {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
}
export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
}
export interface LocalVolumeSource {
  path: string;
  fsType?: string;
}
export interface CSIPersistentVolumeSource {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}
export interface CSIVolumeSource {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
}
export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}
export interface PersistentVolumeClaimTemplate {
  metadata?: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}
export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: Protocol;
  hostIP?: string;
}
export interface VolumeMount {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  mountPropagation?: MountPropagationMode;
  subPathExpr?: string;
}
export interface VolumeDevice {
  name: string;
  devicePath: string;
}
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
}
export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
}
export interface FileKeySelector {
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean;
}
export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath: string;
}
export interface ResourceFieldSelector {
  containerName?: string;
  resource: string;
  divisor?: string;
}
export interface ConfigMapKeySelector extends LocalObjectReference {
  key: string;
  optional?: boolean;
}
export interface SecretKeySelector extends LocalObjectReference {
  key: string;
  optional?: boolean;
}
export interface EnvFromSource {
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
}
export interface ConfigMapEnvSource extends LocalObjectReference {
  optional?: boolean;
}
export interface SecretEnvSource extends LocalObjectReference {
  optional?: boolean;
}
export interface HTTPHeader {
  name: string;
  value: string;
}
export interface HTTPGetAction {
  path?: string;
  port: number | string;
  host?: string;
  scheme?: URIScheme;
  httpHeaders?: HTTPHeader[];
}
export interface TCPSocketAction {
  port: number | string;
  host?: string;
}
export interface GRPCAction {
  port: number;
  service?: string;
}
export interface ExecAction {
  command?: string[];
}
export interface SleepAction {
  seconds: number;
}
export interface Probe extends ProbeHandler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
}
export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}
export interface Capabilities {
  add?: string[];
  drop?: string[];
}
export interface ResourceRequirements {
  limits?: Record<string, string>;
  requests?: Record<string, string>;
  claims?: ResourceClaim[];
}
export interface VolumeResourceRequirements {
  limits?: Record<string, string>;
  requests?: Record<string, string>;
}
export interface ResourceClaim {
  name: string;
  request?: string;
}
export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: TerminationMessagePolicy;
  imagePullPolicy?: PullPolicy;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}
export interface ProbeHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
}
export interface LifecycleHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
}
export interface Lifecycle {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: Signal;
}
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}
export interface ContainerStateRunning {
  startedAt?: string;
}
export interface ContainerStateTerminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: string;
  finishedAt?: string;
  containerID?: string;
}
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}
export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: Record<string, string>;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMountStatus[];
  user?: ContainerUser;
  allocatedResourcesStatus?: ResourceStatus[];
  stopSignal?: Signal;
}
export interface ResourceStatus {
  name: string;
  resources?: ResourceHealth[];
}
export interface ResourceHealth {
  resourceID: string;
  health?: string;
  message?: string;
}
export interface ContainerUser {
  linux?: LinuxContainerUser;
}
export interface LinuxContainerUser {
  uid: number;
  gid: number;
  supplementalGroups?: number[];
}
export interface PodCondition {
  type: string;
  observedGeneration?: number;
  status: string;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: VolumeStatus;
}
export interface VolumeStatus {
  image?: ImageVolumeStatus;
}
export interface ImageVolumeStatus {
  imageRef: string;
}
export interface ContainerRestartRule {
  action: string;
  exitCodes?: ContainerRestartRuleOnExitCodes;
}
export interface ContainerRestartRuleOnExitCodes {
  operator: string;
  values?: number[];
}
export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[];
}
export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}
export interface NodeSelectorRequirement {
  key: string;
  operator: NodeSelectorOperator;
  values?: string[];
}
export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}
export interface TopologySelectorLabelRequirement {
  key: string;
  values: string[];
}
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}
export interface PodAntiAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}
export interface WeightedPodAffinityTerm {
  weight: number;
  podAffinityTerm: PodAffinityTerm;
}
export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
}
export interface PreferredSchedulingTerm {
  weight: number;
  preference: NodeSelectorTerm;
}
export interface Taint {
  key: string;
  value?: string;
  effect: TaintEffect;
  timeAdded?: string;
}
export interface Toleration {
  key?: string;
  operator?: TolerationOperator;
  value?: string;
  effect?: TaintEffect;
  tolerationSeconds?: number;
}
export interface PodReadinessGate {
  conditionType: string;
}
export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers: Container[];
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: RestartPolicy;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: DNSPolicy;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: PodDNSConfig;
  readinessGates?: PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: PreemptionPolicy;
  overhead?: Record<string, string>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: PodSchedulingGate[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: PodSchedulingGroup;
}
export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}
export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}
export interface PodExtendedResourceClaimStatus {
  requestMappings: ContainerExtendedResourceRequest[];
  resourceClaimName: string;
}
export interface ContainerExtendedResourceRequest {
  containerName: string;
  resourceName: string;
  requestName: string;
}
export interface PodOS {
  name: string;
}
export interface PodSchedulingGate {
  name: string;
}
export interface PodSchedulingGroup {
  podGroupName?: string;
}
export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: UnsatisfiableConstraintAction;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: NodeInclusionPolicy;
  nodeTaintsPolicy?: NodeInclusionPolicy;
  matchLabelKeys?: string[];
}
export interface HostAlias {
  ip: string;
  hostnames?: string[];
}
export interface PodSecurityContext {
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: number[];
  supplementalGroupsPolicy?: SupplementalGroupsPolicy;
  fsGroup?: number;
  sysctls?: Sysctl[];
  fsGroupChangePolicy?: PodFSGroupChangePolicy;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: string;
}
export interface SeccompProfile {
  type: SeccompProfileType;
  localhostProfile?: string;
}
export interface AppArmorProfile {
  type: AppArmorProfileType;
  localhostProfile?: string;
}
export interface PodDNSConfig {
  nameservers?: string[];
  searches?: string[];
  options?: PodDNSConfigOption[];
}
export interface PodDNSConfigOption {
  name?: string;
  value?: string;
}
export interface PodIP {
  ip: string;
}
export interface HostIP {
  ip: string;
}
export interface EphemeralContainerCommon {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: TerminationMessagePolicy;
  imagePullPolicy?: PullPolicy;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}
export interface EphemeralContainer extends EphemeralContainerCommon {
  targetContainerName?: string;
}
export interface PodStatus {
  observedGeneration?: number;
  phase?: PodPhase;
  conditions?: PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: HostIP[];
  podIP?: string;
  podIPs?: PodIP[];
  startTime?: string;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: PodQOSClass;
  ephemeralContainerStatuses?: ContainerStatus[];
  resize?: string;
  resourceClaimStatuses?: PodResourceClaimStatus[];
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  allocatedResources?: Record<string, string>;
  resources?: ResourceRequirements;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
}
export interface PodStatusResult extends TypeMeta {
  metadata: ObjectMeta;
  status?: PodStatus;
}
export interface Pod extends TypeMeta {
  metadata: ObjectMeta;
  spec: PodSpec;
  status?: PodStatus;
}
export interface PodList extends TypeMeta {
  metadata: ListMeta;
  items: Pod[];
}
export interface PodTemplateSpec {
  metadata?: ObjectMeta;
  spec?: PodSpec;
}
export interface PodTemplate extends TypeMeta {
  metadata: ObjectMeta;
  template?: PodTemplateSpec;
}
export interface PodTemplateList extends TypeMeta {
  metadata: ListMeta;
  items: PodTemplate[];
}
export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
}
export interface ReplicationControllerStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  conditions?: ReplicationControllerCondition[];
}
export interface ReplicationControllerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface ReplicationController extends TypeMeta {
  metadata: ObjectMeta;
  spec: ReplicationControllerSpec;
  status?: ReplicationControllerStatus;
}
export interface ReplicationControllerList extends TypeMeta {
  metadata: ListMeta;
  items: ReplicationController[];
}
export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}
export interface ClientIPConfig {
  timeoutSeconds?: number;
}
export interface ServiceStatus {
  loadBalancer?: LoadBalancerStatus;
  conditions?: Condition[];
}
export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[];
}
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: PortStatus[];
}
export interface ServiceSpec {
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type?: ServiceType;
  externalIPs?: string[];
  sessionAffinity?: ServiceAffinity;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: ServiceExternalTrafficPolicy;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: IPFamily[];
  ipFamilyPolicy?: IPFamilyPolicy;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: ServiceInternalTrafficPolicy;
  trafficDistribution?: string;
}
export interface ServicePort {
  name?: string;
  protocol?: Protocol;
  appProtocol?: string;
  port: number;
  targetPort?: number | string;
  nodePort?: number;
}
export interface Service extends TypeMeta {
  metadata: ObjectMeta;
  spec: ServiceSpec;
  status?: ServiceStatus;
}
export interface ServiceList extends TypeMeta {
  metadata: ListMeta;
  items: Service[];
}
export interface ServiceAccount extends TypeMeta {
  metadata: ObjectMeta;
  secrets?: ObjectReference[];
  imagePullSecrets?: LocalObjectReference[];
  automountServiceAccountToken?: boolean;
}
export interface ServiceAccountList extends TypeMeta {
  metadata: ListMeta;
  items: ServiceAccount[];
}
export interface Endpoints extends TypeMeta {
  metadata: ObjectMeta;
  subsets?: EndpointSubset[];
}
export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}
export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}
export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: Protocol;
  appProtocol?: string;
}
export interface EndpointsList extends TypeMeta {
  metadata: ListMeta;
  items: Endpoints[];
}
export interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: NodeConfigSource;
  externalID?: string;
}
export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource;
}
export interface ConfigMapNodeConfigSource {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
}
export interface DaemonEndpoint {
  Port: number;
}
export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint;
}
export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
}
export interface NodeRuntimeHandler {
  name?: string;
  features?: NodeRuntimeHandlerFeatures;
}
export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean;
}
export interface NodeSystemInfo {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
}
export interface NodeSwapStatus {
  capacity?: number;
}
export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
}
export interface NodeStatus {
  capacity?: Record<string, string>;
  allocatable?: Record<string, string>;
  phase?: NodePhase;
  conditions?: NodeCondition[];
  addresses?: NodeAddress[];
  daemonEndpoints?: NodeDaemonEndpoints;
  nodeInfo?: NodeSystemInfo;
  images?: ContainerImage[];
  volumesInUse?: string[];
  volumesAttached?: AttachedVolume[];
  config?: NodeConfigStatus;
  runtimeHandlers?: NodeRuntimeHandler[];
  features?: NodeFeatures;
  declaredFeatures?: string[];
}
export interface AttachedVolume {
  name: string;
  devicePath: string;
}
export interface AvoidPods {
  preferAvoidPods?: PreferAvoidPodsEntry[];
}
export interface PreferAvoidPodsEntry {
  podSignature: PodSignature;
  evictionTime?: string;
  reason?: string;
  message?: string;
}
export interface PodSignature {
  podController?: OwnerReference;
}
export interface ContainerImage {
  names?: string[];
  sizeBytes?: number;
}
export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface NodeAddress {
  type: string;
  address: string;
}
export interface Node extends TypeMeta {
  metadata: ObjectMeta;
  spec: NodeSpec;
  status?: NodeStatus;
}
export interface NodeList extends TypeMeta {
  metadata: ListMeta;
  items: Node[];
}
export interface NamespaceSpec {
  finalizers?: string[];
}
export interface NamespaceStatus {
  phase?: NamespacePhase;
  conditions?: NamespaceCondition[];
}
export interface NamespaceCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface Namespace extends TypeMeta {
  metadata: ObjectMeta;
  spec: NamespaceSpec;
  status?: NamespaceStatus;
}
export interface NamespaceList extends TypeMeta {
  metadata: ListMeta;
  items: Namespace[];
}
export interface Binding extends TypeMeta {
  metadata: ObjectMeta;
  target: ObjectReference;
}
export interface CoreV1Preconditions {
  uid?: string;
}
export interface PodLogOptions extends TypeMeta {
  container?: string;
  follow?: boolean;
  previous?: boolean;
  sinceSeconds?: number;
  sinceTime?: string;
  timestamps?: boolean;
  tailLines?: number;
  limitBytes?: number;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
}
export interface PodAttachOptions extends TypeMeta {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
}
export interface PodExecOptions extends TypeMeta {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  command: string[];
}
export interface PodPortForwardOptions extends TypeMeta {
  ports?: number[];
}
export interface PodProxyOptions extends TypeMeta {
  path?: string;
}
export interface NodeProxyOptions extends TypeMeta {
  path?: string;
}
export interface ServiceProxyOptions extends TypeMeta {
  path?: string;
}
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}
export interface LocalObjectReference {
  name?: string;
}
export interface TypedLocalObjectReference {
  apiGroup?: string;
  kind: string;
  name: string;
}
export interface SerializedReference extends TypeMeta {
  reference?: ObjectReference;
}
export interface EventSource {
  component?: string;
  host?: string;
}
export interface Event extends TypeMeta {
  metadata: ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source?: EventSource;
  firstTimestamp?: string;
  lastTimestamp?: string;
  count?: number;
  type?: string;
  eventTime?: string;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
}
export interface EventSeries {
  count?: number;
  lastObservedTime?: string;
}
export interface EventList extends TypeMeta {
  metadata: ListMeta;
  items: Event[];
}
export interface LimitRangeItem {
  type: string;
  max?: Record<string, string>;
  min?: Record<string, string>;
  default?: Record<string, string>;
  defaultRequest?: Record<string, string>;
  maxLimitRequestRatio?: Record<string, string>;
}
export interface LimitRangeSpec {
  limits: LimitRangeItem[];
}
export interface LimitRange extends TypeMeta {
  metadata: ObjectMeta;
  spec: LimitRangeSpec;
}
export interface LimitRangeList extends TypeMeta {
  metadata: ListMeta;
  items: LimitRange[];
}
export interface ResourceQuotaSpec {
  hard?: Record<string, string>;
  scopes?: ResourceQuotaScope[];
  scopeSelector?: ScopeSelector;
}
export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[];
}
export interface ScopedResourceSelectorRequirement {
  scopeName: ResourceQuotaScope;
  operator: ScopeSelectorOperator;
  values?: string[];
}
export interface ResourceQuotaStatus {
  hard?: Record<string, string>;
  used?: Record<string, string>;
}
export interface ResourceQuota extends TypeMeta {
  metadata: ObjectMeta;
  spec: ResourceQuotaSpec;
  status?: ResourceQuotaStatus;
}
export interface ResourceQuotaList extends TypeMeta {
  metadata: ListMeta;
  items: ResourceQuota[];
}
export interface Secret extends TypeMeta {
  metadata: ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  type?: string;
}
export interface SecretList extends TypeMeta {
  metadata: ListMeta;
  items: Secret[];
}
export interface ConfigMap extends TypeMeta {
  metadata: ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}
export interface ConfigMapList extends TypeMeta {
  metadata: ListMeta;
  items: ConfigMap[];
}
export interface ComponentCondition {
  type: string;
  status: string;
  message?: string;
  error?: string;
}
export interface ComponentStatus extends TypeMeta {
  metadata: ObjectMeta;
  conditions?: ComponentCondition[];
}
export interface ComponentStatusList extends TypeMeta {
  metadata: ListMeta;
  items: ComponentStatus[];
}
export interface DownwardAPIVolumeSource {
  items?: DownwardAPIVolumeFile[];
  defaultMode?: number;
}
export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
}
export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[];
}
export interface SecurityContext {
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: ProcMountType;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
}
export interface SELinuxOptions {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
}
export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}
export interface RangeAllocation extends TypeMeta {
  metadata: ObjectMeta;
  range: string;
  data: string;
}
export interface Sysctl {
  name: string;
  value: string;
}
export interface PortStatus {
  port: number;
  protocol: Protocol;
  error?: string;
}
export interface ImageVolumeSource {
  reference?: string;
  pullPolicy?: PullPolicy;
}
export interface NodeAllocatableResourceClaimStatus {
  resourceClaimName: string;
  containers?: string[];
  resources: Record<string, string>;
}
export interface StatefulSet extends TypeMeta {
  metadata: ObjectMeta;
  spec: StatefulSetSpec;
  status?: StatefulSetStatus;
}
export interface StatefulSetUpdateStrategy {
  type?: StatefulSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
export interface RollingUpdateStatefulSetStrategy {
  partition?: number;
  maxUnavailable?: number | string;
}
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}
export interface StatefulSetOrdinals {
  start?: number;
}
export interface StatefulSetSpec {
  replicas?: number;
  selector: LabelSelector;
  template: PodTemplateSpec;
  volumeClaimTemplates?: PersistentVolumeClaim[];
  serviceName?: string;
  podManagementPolicy?: PodManagementPolicyType;
  updateStrategy?: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
}
export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  availableReplicas?: number;
}
export interface StatefulSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface StatefulSetList extends TypeMeta {
  metadata: ListMeta;
  items: StatefulSet[];
}
export interface Deployment extends TypeMeta {
  metadata: ObjectMeta;
  spec: DeploymentSpec;
  status?: DeploymentStatus;
}
export interface DeploymentSpec {
  replicas?: number;
  selector: LabelSelector;
  template: PodTemplateSpec;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
}
export interface DeploymentStrategy {
  type?: DeploymentStrategyType;
  rollingUpdate?: RollingUpdateDeployment;
}
export interface RollingUpdateDeployment {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
}
export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: DeploymentCondition[];
  collisionCount?: number;
}
export interface DeploymentCondition {
  type: string;
  status: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface DeploymentList extends TypeMeta {
  metadata: ListMeta;
  items: Deployment[];
}
export interface DaemonSetUpdateStrategy {
  type?: DaemonSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateDaemonSet;
}
export interface RollingUpdateDaemonSet {
  maxUnavailable?: number | string;
  maxSurge?: number | string;
}
export interface DaemonSetSpec {
  selector: LabelSelector;
  template: PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
}
export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
}
export interface DaemonSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface DaemonSet extends TypeMeta {
  metadata: ObjectMeta;
  spec: DaemonSetSpec;
  status?: DaemonSetStatus;
}
export interface DaemonSetList extends TypeMeta {
  metadata: ListMeta;
  items: DaemonSet[];
}
export interface ReplicaSet extends TypeMeta {
  metadata: ObjectMeta;
  spec: ReplicaSetSpec;
  status?: ReplicaSetStatus;
}
export interface ReplicaSetList extends TypeMeta {
  metadata: ListMeta;
  items: ReplicaSet[];
}
export interface ReplicaSetSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector: LabelSelector;
  template?: PodTemplateSpec;
}
export interface ReplicaSetStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: ReplicaSetCondition[];
}
export interface ReplicaSetCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface ControllerRevision extends TypeMeta {
  metadata: ObjectMeta;
  data?: JsonObject;
  revision: number;
}
export interface ControllerRevisionList extends TypeMeta {
  metadata: ListMeta;
  items: ControllerRevision[];
}
export interface Job extends TypeMeta {
  metadata: ObjectMeta;
  spec: JobSpec;
  status?: JobStatus;
}
export interface JobList extends TypeMeta {
  metadata: ListMeta;
  items: Job[];
}
export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: PodFailurePolicyOnExitCodesOperator;
  values: number[];
}
export interface PodFailurePolicyOnPodConditionsPattern {
  type: string;
  status?: string;
}
export interface PodFailurePolicyRule {
  action: PodFailurePolicyAction;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}
export interface PodFailurePolicy {
  rules: PodFailurePolicyRule[];
}
export interface SuccessPolicy {
  rules: SuccessPolicyRule[];
}
export interface SuccessPolicyRule {
  succeededIndexes?: string;
  succeededCount?: number;
}
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelector;
  manualSelector?: boolean;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: CompletionMode;
  suspend?: boolean;
  podReplacementPolicy?: PodReplacementPolicy;
  managedBy?: string;
}
export interface JobStatus {
  conditions?: JobCondition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: number;
}
export interface UncountedTerminatedPods {
  succeeded?: string[];
  failed?: string[];
}
export interface JobCondition {
  type: string;
  status: string;
  lastProbeTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface JobTemplateSpec {
  metadata?: ObjectMeta;
  spec?: JobSpec;
}
export interface CronJob extends TypeMeta {
  metadata: ObjectMeta;
  spec: CronJobSpec;
  status?: CronJobStatus;
}
export interface CronJobList extends TypeMeta {
  metadata: ListMeta;
  items: CronJob[];
}
export interface CronJobSpec {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  concurrencyPolicy?: ConcurrencyPolicy;
  suspend?: boolean;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}
export interface CronJobStatus {
  active?: ObjectReference[];
  lastScheduleTime?: string;
  lastSuccessfulTime?: string;
}
export interface PolicyRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}
export interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}
export interface RoleRef {
  apiGroup?: string;
  kind: string;
  name: string;
}
export interface Role extends TypeMeta {
  metadata: ObjectMeta;
  rules?: PolicyRule[];
}
export interface RoleBinding extends TypeMeta {
  metadata: ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
}
export interface RoleBindingList extends TypeMeta {
  metadata: ListMeta;
  items: RoleBinding[];
}
export interface RoleList extends TypeMeta {
  metadata: ListMeta;
  items: Role[];
}
export interface ClusterRole extends TypeMeta {
  metadata: ObjectMeta;
  rules?: PolicyRule[];
  aggregationRule?: AggregationRule;
}
export interface AggregationRule {
  clusterRoleSelectors?: LabelSelector[];
}
export interface ClusterRoleBinding extends TypeMeta {
  metadata: ObjectMeta;
  subjects?: Subject[];
  roleRef: RoleRef;
}
export interface ClusterRoleBindingList extends TypeMeta {
  metadata: ListMeta;
  items: ClusterRoleBinding[];
}
export interface ClusterRoleList extends TypeMeta {
  metadata: ListMeta;
  items: ClusterRole[];
}
export interface Lease extends TypeMeta {
  metadata: ObjectMeta;
  spec: LeaseSpec;
}
export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}
export interface LeaseList extends TypeMeta {
  metadata: ListMeta;
  items: Lease[];
}
export interface TokenReview extends TypeMeta {
  metadata: ObjectMeta;
  spec: TokenReviewSpec;
  status?: TokenReviewStatus;
}
export interface TokenReviewSpec {
  token: string;
  audiences?: string[];
}
export interface TokenReviewStatus {
  authenticated?: boolean;
  user?: UserInfo;
  audiences?: string[];
  error?: string;
}
export interface UserInfo {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}
export interface TokenRequest extends TypeMeta {
  metadata: ObjectMeta;
  spec: TokenRequestSpec;
  status?: TokenRequestStatus;
}
export interface TokenRequestSpec {
  audiences?: string[];
  expirationSeconds?: number;
  boundObjectRef?: BoundObjectReference;
}
export interface TokenRequestStatus {
  token?: string;
  expirationTimestamp?: string;
}
export interface BoundObjectReference {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
}
export interface SelfSubjectReview extends TypeMeta {
  metadata: ObjectMeta;
  status?: SelfSubjectReviewStatus;
}
export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo;
}
export interface SubjectAccessReview extends TypeMeta {
  metadata: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface SelfSubjectAccessReview extends TypeMeta {
  metadata: ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface LocalSubjectAccessReview extends TypeMeta {
  metadata: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status?: SubjectAccessReviewStatus;
}
export interface ResourceAttributes {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
}
export interface LabelSelectorAttributes {
  rawSelector?: string;
  requirements?: LabelSelectorRequirement[];
}
export interface FieldSelectorAttributes {
  rawSelector?: string;
  requirements?: FieldSelectorRequirement[];
}
export interface NonResourceAttributes {
  path?: string;
  verb?: string;
}
export interface SubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
}
export interface SelfSubjectAccessReviewSpec {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}
export interface SubjectAccessReviewStatus {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
}
export interface SelfSubjectRulesReview extends TypeMeta {
  metadata: ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status?: SubjectRulesReviewStatus;
}
export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}
export interface SubjectRulesReviewStatus {
  resourceRules: ResourceRule[];
  nonResourceRules: NonResourceRule[];
  incomplete: boolean;
  evaluationError?: string;
}
export interface ResourceRule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
}
export interface NonResourceRule {
  verbs: string[];
  nonResourceURLs?: string[];
}
export interface PodDisruptionBudgetSpec {
  minAvailable?: number | string;
  selector?: LabelSelector;
  maxUnavailable?: number | string;
  unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}
export interface PodDisruptionBudgetStatus {
  observedGeneration?: number;
  disruptedPods?: Record<string, string>;
  disruptionsAllowed?: number;
  currentHealthy?: number;
  desiredHealthy?: number;
  expectedPods?: number;
  conditions?: Condition[];
}
export interface PodDisruptionBudget extends TypeMeta {
  metadata: ObjectMeta;
  spec: PodDisruptionBudgetSpec;
  status?: PodDisruptionBudgetStatus;
}
export interface PodDisruptionBudgetList extends TypeMeta {
  metadata: ListMeta;
  items: PodDisruptionBudget[];
}
export interface Eviction extends TypeMeta {
  metadata: ObjectMeta;
  deleteOptions?: DeleteOptions;
}
export interface StorageClass extends TypeMeta {
  metadata: ObjectMeta;
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: PersistentVolumeReclaimPolicy;
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: VolumeBindingMode;
  allowedTopologies?: TopologySelectorTerm[];
}
export interface StorageClassList extends TypeMeta {
  metadata: ListMeta;
  items: StorageClass[];
}
export interface VolumeAttachment extends TypeMeta {
  metadata: ObjectMeta;
  spec: VolumeAttachmentSpec;
  status?: VolumeAttachmentStatus;
}
export interface VolumeAttachmentList extends TypeMeta {
  metadata: ListMeta;
  items: VolumeAttachment[];
}
export interface VolumeAttachmentSpec {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
}
export interface VolumeAttachmentSource {
  persistentVolumeName?: string;
  inlineVolumeSpec?: PersistentVolumeSpec;
}
export interface VolumeAttachmentStatus {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
}
export interface VolumeError {
  time?: string;
  message?: string;
  errorCode?: number;
}
export interface CSIDriver extends TypeMeta {
  metadata: ObjectMeta;
  spec: CSIDriverSpec;
}
export interface CSIDriverList extends TypeMeta {
  metadata: ListMeta;
  items: CSIDriver[];
}
export interface CSIDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  tokenRequests?: StorageV1TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}
export interface StorageV1TokenRequest {
  audience: string;
  expirationSeconds?: number;
}
export interface CSINode extends TypeMeta {
  metadata: ObjectMeta;
  spec: CSINodeSpec;
}
export interface CSINodeSpec {
  drivers: CSINodeDriver[];
}
export interface CSINodeDriver {
  name: string;
  nodeID: string;
  topologyKeys?: string[];
  allocatable?: VolumeNodeResources;
}
export interface VolumeNodeResources {
  count?: number;
}
export interface CSINodeList extends TypeMeta {
  metadata: ListMeta;
  items: CSINode[];
}
export interface CSIStorageCapacity extends TypeMeta {
  metadata: ObjectMeta;
  nodeTopology?: LabelSelector;
  storageClassName: string;
  capacity?: string;
  maximumVolumeSize?: string;
}
export interface CSIStorageCapacityList extends TypeMeta {
  metadata: ListMeta;
  items: CSIStorageCapacity[];
}
export interface VolumeAttributesClass extends TypeMeta {
  metadata: ObjectMeta;
  driverName: string;
  parameters?: Record<string, string>;
}
export interface VolumeAttributesClassList extends TypeMeta {
  metadata: ListMeta;
  items: VolumeAttributesClass[];
}
export interface RuntimeClass extends TypeMeta {
  metadata: ObjectMeta;
  handler: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
}
export interface Overhead {
  podFixed?: Record<string, string>;
}
export interface Scheduling {
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
}
export interface RuntimeClassList extends TypeMeta {
  metadata: ListMeta;
  items: RuntimeClass[];
}
export interface PriorityClass extends TypeMeta {
  metadata: ObjectMeta;
  value?: number;
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: PreemptionPolicy;
}
export interface PriorityClassList extends TypeMeta {
  metadata: ListMeta;
  items: PriorityClass[];
}
export interface NetworkPolicy extends TypeMeta {
  metadata: ObjectMeta;
  spec: NetworkPolicySpec;
}
export interface NetworkPolicySpec {
  podSelector?: LabelSelector;
  ingress?: NetworkPolicyIngressRule[];
  egress?: NetworkPolicyEgressRule[];
  policyTypes?: PolicyType[];
}
export interface NetworkPolicyIngressRule {
  ports?: NetworkPolicyPort[];
  from?: NetworkPolicyPeer[];
}
export interface NetworkPolicyEgressRule {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
}
export interface NetworkPolicyPort {
  protocol?: Protocol;
  port?: number | string;
  endPort?: number;
}
export interface IPBlock {
  cidr: string;
  except?: string[];
}
export interface NetworkPolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: IPBlock;
}
export interface NetworkPolicyList extends TypeMeta {
  metadata: ListMeta;
  items: NetworkPolicy[];
}
export interface Ingress extends TypeMeta {
  metadata: ObjectMeta;
  spec: IngressSpec;
  status?: IngressStatus;
}
export interface IngressList extends TypeMeta {
  metadata: ListMeta;
  items: Ingress[];
}
export interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
}
export interface IngressTLS {
  hosts?: string[];
  secretName?: string;
}
export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}
export interface IngressLoadBalancerStatus {
  ingress?: IngressLoadBalancerIngress[];
}
export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
}
export interface IngressPortStatus {
  port: number;
  protocol: Protocol;
  error?: string;
}
export interface IngressRule extends IngressRuleValue {
  host?: string;
}
export interface IngressRuleValue {
  http?: HTTPIngressRuleValue;
}
export interface HTTPIngressRuleValue {
  paths: HTTPIngressPath[];
}
export interface HTTPIngressPath {
  path?: string;
  pathType: PathType;
  backend: IngressBackend;
}
export interface IngressBackend {
  service?: IngressServiceBackend;
  resource?: TypedLocalObjectReference;
}
export interface IngressServiceBackend {
  name: string;
  port?: ServiceBackendPort;
}
export interface ServiceBackendPort {
  name?: string;
  number?: number;
}
export interface IngressClass extends TypeMeta {
  metadata: ObjectMeta;
  spec: IngressClassSpec;
}
export interface IngressClassSpec {
  controller?: string;
  parameters?: IngressClassParametersReference;
}
export interface IngressClassParametersReference {
  apiGroup?: string;
  kind: string;
  name: string;
  scope?: string;
  namespace?: string;
}
export interface IngressClassList extends TypeMeta {
  metadata: ListMeta;
  items: IngressClass[];
}
export interface IPAddress extends TypeMeta {
  metadata: ObjectMeta;
  spec: IPAddressSpec;
}
export interface IPAddressSpec {
  parentRef: ParentReference;
}
export interface ParentReference {
  group?: string;
  resource: string;
  namespace?: string;
  name: string;
}
export interface IPAddressList extends TypeMeta {
  metadata: ListMeta;
  items: IPAddress[];
}
export interface ServiceCIDR extends TypeMeta {
  metadata: ObjectMeta;
  spec: ServiceCIDRSpec;
  status?: ServiceCIDRStatus;
}
export interface ServiceCIDRSpec {
  cidrs?: string[];
}
export interface ServiceCIDRStatus {
  conditions?: Condition[];
}
export interface ServiceCIDRList extends TypeMeta {
  metadata: ListMeta;
  items: ServiceCIDR[];
}
export interface CertificateSigningRequest extends TypeMeta {
  metadata: ObjectMeta;
  spec: CertificateSigningRequestSpec;
  status?: CertificateSigningRequestStatus;
}
export interface CertificateSigningRequestSpec {
  request: string;
  signerName: string;
  expirationSeconds?: number;
  usages?: KeyUsage[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}
export interface CertificateSigningRequestStatus {
  conditions?: CertificateSigningRequestCondition[];
  certificate?: string;
}
export interface CertificateSigningRequestCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string;
  lastTransitionTime?: string;
}
export interface CertificateSigningRequestList extends TypeMeta {
  metadata: ListMeta;
  items: CertificateSigningRequest[];
}
export interface EndpointSlice extends TypeMeta {
  metadata: ObjectMeta;
  addressType: AddressType;
  endpoints?: Endpoint[];
  ports?: DiscoveryV1EndpointPort[];
}
export interface Endpoint {
  addresses: string[];
  conditions?: EndpointConditions;
  hostname?: string;
  targetRef?: ObjectReference;
  deprecatedTopology?: Record<string, string>;
  nodeName?: string;
  zone?: string;
  hints?: EndpointHints;
}
export interface EndpointConditions {
  ready?: boolean;
  serving?: boolean;
  terminating?: boolean;
}
export interface EndpointHints {
  forZones?: ForZone[];
  forNodes?: ForNode[];
}
export interface ForZone {
  name: string;
}
export interface ForNode {
  name: string;
}
export interface DiscoveryV1EndpointPort {
  name?: string;
  protocol?: Protocol;
  port?: number;
  appProtocol?: string;
}
export interface EndpointSliceList extends TypeMeta {
  metadata: ListMeta;
  items: EndpointSlice[];
}
export interface EventsV1Event extends TypeMeta {
  metadata: ObjectMeta;
  eventTime: string;
  series?: EventsV1EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding?: ObjectReference;
  related?: ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource?: EventSource;
  deprecatedFirstTimestamp?: string;
  deprecatedLastTimestamp?: string;
  deprecatedCount?: number;
}
export interface EventsV1EventSeries {
  count: number;
  lastObservedTime: string;
}
export interface EventsV1EventList extends TypeMeta {
  metadata: ListMeta;
  items: EventsV1Event[];
}
export interface Rule {
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: ScopeType;
}
export interface ValidatingAdmissionPolicy extends TypeMeta {
  metadata: ObjectMeta;
  spec: ValidatingAdmissionPolicySpec;
  status?: ValidatingAdmissionPolicyStatus;
}
export interface ValidatingAdmissionPolicyStatus {
  observedGeneration?: number;
  typeChecking?: TypeChecking;
  conditions?: Condition[];
}
export interface TypeChecking {
  expressionWarnings?: ExpressionWarning[];
}
export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}
export interface ValidatingAdmissionPolicyList extends TypeMeta {
  metadata: ListMeta;
  items: ValidatingAdmissionPolicy[];
}
export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Validation[];
  failurePolicy?: FailurePolicyType;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: Variable[];
}
export interface ParamKind {
  apiVersion?: string;
  kind?: string;
}
export interface Validation {
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
}
export interface Variable {
  name: string;
  expression: string;
}
export interface AuditAnnotation {
  key: string;
  valueExpression: string;
}
export interface ValidatingAdmissionPolicyBinding extends TypeMeta {
  metadata: ObjectMeta;
  spec: ValidatingAdmissionPolicyBindingSpec;
}
export interface ValidatingAdmissionPolicyBindingList extends TypeMeta {
  metadata: ListMeta;
  items: ValidatingAdmissionPolicyBinding[];
}
export interface ValidatingAdmissionPolicyBindingSpec {
  policyName: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions: ValidationAction[];
}
export interface ParamRef {
  name?: string;
  namespace?: string;
  selector?: LabelSelector;
  parameterNotFoundAction?: string;
}
export interface MatchResources {
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: MatchPolicyType;
}
export interface NamedRuleWithOperations extends RuleWithOperations {
  resourceNames?: string[];
}
export interface ValidatingWebhookConfiguration extends TypeMeta {
  metadata: ObjectMeta;
  webhooks?: ValidatingWebhook[];
}
export interface ValidatingWebhookConfigurationList extends TypeMeta {
  metadata: ListMeta;
  items: ValidatingWebhookConfiguration[];
}
export interface MutatingWebhookConfiguration extends TypeMeta {
  metadata: ObjectMeta;
  webhooks?: MutatingWebhook[];
}
export interface MutatingWebhookConfigurationList extends TypeMeta {
  metadata: ListMeta;
  items: MutatingWebhookConfiguration[];
}
export interface ValidatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: FailurePolicyType;
  matchPolicy?: MatchPolicyType;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: SideEffectClass;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  matchConditions?: MatchCondition[];
}
export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: FailurePolicyType;
  matchPolicy?: MatchPolicyType;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: SideEffectClass;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  reinvocationPolicy?: ReinvocationPolicyType;
  matchConditions?: MatchCondition[];
}
export interface MutatingAdmissionPolicy extends TypeMeta {
  metadata: ObjectMeta;
  spec: MutatingAdmissionPolicySpec;
}
export interface MutatingAdmissionPolicyList extends TypeMeta {
  metadata: ListMeta;
  items: MutatingAdmissionPolicy[];
}
export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Variable[];
  mutations?: Mutation[];
  failurePolicy?: FailurePolicyType;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: ReinvocationPolicyType;
}
export interface Mutation {
  patchType: PatchType;
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
}
export interface ApplyConfiguration {
  expression?: string;
}
export interface JSONPatch {
  expression?: string;
}
export interface MutatingAdmissionPolicyBinding extends TypeMeta {
  metadata: ObjectMeta;
  spec: MutatingAdmissionPolicyBindingSpec;
}
export interface MutatingAdmissionPolicyBindingList extends TypeMeta {
  metadata: ListMeta;
  items: MutatingAdmissionPolicyBinding[];
}
export interface MutatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
}
export interface RuleWithOperations extends Rule {
  operations?: OperationType[];
}
export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: string;
}
export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
}
export interface MatchCondition {
  name: string;
  expression: string;
}
export interface AdmissionReview extends TypeMeta {
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}
export interface AdmissionRequest {
  uid?: string;
  kind?: GroupVersionKind;
  resource?: GroupVersionResource;
  subResource?: string;
  requestKind?: GroupVersionKind;
  requestResource?: GroupVersionResource;
  requestSubResource?: string;
  name?: string;
  namespace?: string;
  operation?: string;
  userInfo?: UserInfo;
  object?: JsonObject;
  oldObject?: JsonObject;
  dryRun?: boolean;
  options?: JsonObject;
}
export interface AdmissionResponse {
  uid?: string;
  allowed?: boolean;
  status?: Status;
  patch?: string;
  patchType?: string;
  auditAnnotations?: Record<string, string>;
  warnings?: string[];
}
export interface FlowSchema extends TypeMeta {
  metadata: ObjectMeta;
  spec: FlowSchemaSpec;
  status?: FlowSchemaStatus;
}
export interface FlowSchemaList extends TypeMeta {
  metadata: ListMeta;
  items: FlowSchema[];
}
export interface FlowSchemaSpec {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: PolicyRulesWithSubjects[];
}
export interface FlowDistinguisherMethod {
  type: string;
}
export interface PriorityLevelConfigurationReference {
  name: string;
}
export interface PolicyRulesWithSubjects {
  subjects: FlowcontrolV1Subject[];
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
}
export interface FlowcontrolV1Subject {
  kind: string;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
}
export interface UserSubject {
  name: string;
}
export interface GroupSubject {
  name: string;
}
export interface ServiceAccountSubject {
  namespace: string;
  name: string;
}
export interface ResourcePolicyRule {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
  clusterScope?: boolean;
  namespaces?: string[];
}
export interface NonResourcePolicyRule {
  verbs: string[];
  nonResourceURLs: string[];
}
export interface FlowSchemaStatus {
  conditions?: FlowSchemaCondition[];
}
export interface FlowSchemaCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface PriorityLevelConfiguration extends TypeMeta {
  metadata: ObjectMeta;
  spec: PriorityLevelConfigurationSpec;
  status?: PriorityLevelConfigurationStatus;
}
export interface PriorityLevelConfigurationList extends TypeMeta {
  metadata: ListMeta;
  items: PriorityLevelConfiguration[];
}
export interface PriorityLevelConfigurationSpec {
  type: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}
export interface LimitedPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  limitResponse?: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
}
export interface ExemptPriorityLevelConfiguration {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
}
export interface LimitResponse {
  type: string;
  queuing?: QueuingConfiguration;
}
export interface QueuingConfiguration {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
}
export interface PriorityLevelConfigurationStatus {
  conditions?: PriorityLevelConfigurationCondition[];
}
export interface PriorityLevelConfigurationCondition {
  type?: string;
  status?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface ResourceSlice extends TypeMeta {
  metadata: ObjectMeta;
  spec: ResourceSliceSpec;
}
export interface ResourceSliceSpec {
  driver: string;
  pool: ResourcePool;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  devices?: Device[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: CounterSet[];
}
export interface CounterSet {
  name: string;
  counters: Record<string, Counter>;
}
export interface ResourcePool {
  name: string;
  generation: number;
  resourceSliceCount: number;
}
export interface Device {
  name: string;
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  taints?: DeviceTaint[];
  bindsToNode?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
}
export interface NodeAllocatableResourceMapping {
  capacityKey?: string;
  allocationMultiplier?: string;
}
export interface DeviceCounterConsumption {
  counterSet: string;
  counters: Record<string, Counter>;
}
export interface DeviceCapacity {
  value: string;
  requestPolicy?: CapacityRequestPolicy;
}
export interface Counter {
  value: string;
}
export interface CapacityRequestPolicy {
  default?: string;
  validValues?: string[];
  validRange?: CapacityRequestPolicyRange;
}
export interface CapacityRequestPolicyRange {
  min: string;
  max?: string;
  step?: string;
}
export interface DeviceAttribute {
  int?: number;
  bool?: boolean;
  string?: string;
  version?: string;
  ints?: number[];
  bools?: boolean[];
  strings?: string[];
  versions?: string[];
}
export interface DeviceTaint {
  key: string;
  value?: string;
  effect: DeviceTaintEffect;
  timeAdded?: string;
}
export interface ResourceSliceList extends TypeMeta {
  metadata: ListMeta;
  items: ResourceSlice[];
}
export interface ResourceV1ResourceClaim extends TypeMeta {
  metadata: ObjectMeta;
  spec: ResourceClaimSpec;
  status?: ResourceClaimStatus;
}
export interface ResourceClaimSpec {
  devices?: DeviceClaim;
}
export interface DeviceClaim {
  requests?: DeviceRequest[];
  constraints?: DeviceConstraint[];
  config?: DeviceClaimConfiguration[];
}
export interface DeviceRequest {
  name: string;
  exactly?: ExactDeviceRequest;
  firstAvailable?: DeviceSubRequest[];
}
export interface ExactDeviceRequest {
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  count?: number;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
}
export interface DeviceSubRequest {
  name: string;
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  count?: number;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
}
export interface CapacityRequirements {
  requests?: Record<string, string>;
}
export interface DeviceSelector {
  cel?: CELDeviceSelector;
}
export interface CELDeviceSelector {
  expression: string;
}
export interface DeviceConstraint {
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
}
export interface DeviceClaimConfiguration extends DeviceConfiguration {
  requests?: string[];
}
export interface DeviceConfiguration {
  opaque?: OpaqueDeviceConfiguration;
}
export interface OpaqueDeviceConfiguration {
  driver: string;
  parameters: JsonObject;
}
export interface DeviceToleration {
  key?: string;
  operator?: DeviceTolerationOperator;
  value?: string;
  effect?: DeviceTaintEffect;
  tolerationSeconds?: number;
}
export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  reservedFor?: ResourceClaimConsumerReference[];
  devices?: AllocatedDeviceStatus[];
}
export interface ResourceClaimConsumerReference {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
}
export interface AllocationResult {
  devices?: DeviceAllocationResult;
  nodeSelector?: NodeSelector;
  allocationTimestamp?: string;
}
export interface DeviceAllocationResult {
  results?: DeviceRequestAllocationResult[];
  config?: DeviceAllocationConfiguration[];
}
export interface DeviceRequestAllocationResult {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  shareID?: string;
  consumedCapacity?: Record<string, string>;
}
export interface DeviceAllocationConfiguration extends DeviceConfiguration {
  source: AllocationConfigSource;
  requests?: string[];
}
export interface ResourceClaimList extends TypeMeta {
  metadata: ListMeta;
  items: ResourceV1ResourceClaim[];
}
export interface DeviceClass extends TypeMeta {
  metadata: ObjectMeta;
  spec: DeviceClassSpec;
}
export interface DeviceClassSpec {
  selectors?: DeviceSelector[];
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
}
export interface DeviceClassConfiguration extends DeviceConfiguration {
}
export interface DeviceClassList extends TypeMeta {
  metadata: ListMeta;
  items: DeviceClass[];
}
export interface ResourceClaimTemplate extends TypeMeta {
  metadata: ObjectMeta;
  spec: ResourceClaimTemplateSpec;
}
export interface ResourceClaimTemplateSpec {
  metadata?: ObjectMeta;
  spec: ResourceClaimSpec;
}
export interface ResourceClaimTemplateList extends TypeMeta {
  metadata: ListMeta;
  items: ResourceClaimTemplate[];
}
export interface AllocatedDeviceStatus {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  conditions?: Condition[];
  data?: JsonObject;
  networkData?: NetworkDeviceData;
}
export interface NetworkDeviceData {
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
}
export interface HorizontalPodAutoscaler extends TypeMeta {
  metadata: ObjectMeta;
  spec: HorizontalPodAutoscalerSpec;
  status?: HorizontalPodAutoscalerStatus;
}
export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  metrics?: MetricSpec[];
  behavior?: HorizontalPodAutoscalerBehavior;
}
export interface CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string;
}
export interface MetricSpec {
  type: string;
  object?: ObjectMetricSource;
  pods?: PodsMetricSource;
  resource?: ResourceMetricSource;
  containerResource?: ContainerResourceMetricSource;
  external?: ExternalMetricSource;
}
export interface HorizontalPodAutoscalerBehavior {
  scaleUp?: HPAScalingRules;
  scaleDown?: HPAScalingRules;
}
export interface HPAScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: HPAScalingPolicy[];
  tolerance?: string;
}
export interface HPAScalingPolicy {
  type: string;
  value: number;
  periodSeconds: number;
}
export interface ObjectMetricSource {
  describedObject: CrossVersionObjectReference;
  target: MetricTarget;
  metric: MetricIdentifier;
}
export interface PodsMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}
export interface ResourceMetricSource {
  name: string;
  target: MetricTarget;
}
export interface ContainerResourceMetricSource {
  name: string;
  target: MetricTarget;
  container: string;
}
export interface ExternalMetricSource {
  metric: MetricIdentifier;
  target: MetricTarget;
}
export interface MetricIdentifier {
  name: string;
  selector?: LabelSelector;
}
export interface MetricTarget {
  type: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}
export interface HorizontalPodAutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas?: number;
  desiredReplicas: number;
  currentMetrics?: MetricStatus[];
  conditions?: HorizontalPodAutoscalerCondition[];
}
export interface HorizontalPodAutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface MetricStatus {
  type: string;
  object?: ObjectMetricStatus;
  pods?: PodsMetricStatus;
  resource?: ResourceMetricStatus;
  containerResource?: ContainerResourceMetricStatus;
  external?: ExternalMetricStatus;
}
export interface ObjectMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
  describedObject: CrossVersionObjectReference;
}
export interface PodsMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}
export interface ResourceMetricStatus {
  name: string;
  current: MetricValueStatus;
}
export interface ContainerResourceMetricStatus {
  name: string;
  current: MetricValueStatus;
  container: string;
}
export interface ExternalMetricStatus {
  metric: MetricIdentifier;
  current: MetricValueStatus;
}
export interface MetricValueStatus {
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}
export interface HorizontalPodAutoscalerList extends TypeMeta {
  metadata: ListMeta;
  items: HorizontalPodAutoscaler[];
}
export interface AutoscalingV1CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string;
}
export interface AutoscalingV1HorizontalPodAutoscalerSpec {
  scaleTargetRef: AutoscalingV1CrossVersionObjectReference;
  minReplicas?: number;
  maxReplicas: number;
  targetCPUUtilizationPercentage?: number;
}
export interface AutoscalingV1HorizontalPodAutoscalerStatus {
  observedGeneration?: number;
  lastScaleTime?: string;
  currentReplicas: number;
  desiredReplicas: number;
  currentCPUUtilizationPercentage?: number;
}
export interface AutoscalingV1HorizontalPodAutoscaler extends TypeMeta {
  metadata: ObjectMeta;
  spec: AutoscalingV1HorizontalPodAutoscalerSpec;
  status?: AutoscalingV1HorizontalPodAutoscalerStatus;
}
export interface AutoscalingV1HorizontalPodAutoscalerList extends TypeMeta {
  metadata: ListMeta;
  items: AutoscalingV1HorizontalPodAutoscaler[];
}
export interface Scale extends TypeMeta {
  metadata: ObjectMeta;
  spec: ScaleSpec;
  status?: ScaleStatus;
}
export interface ScaleSpec {
  replicas?: number;
}
export interface ScaleStatus {
  replicas: number;
  selector?: string;
}
export interface AutoscalingV1MetricSpec {
  type: MetricSourceType;
  object?: AutoscalingV1ObjectMetricSource;
  pods?: AutoscalingV1PodsMetricSource;
  resource?: AutoscalingV1ResourceMetricSource;
  containerResource?: AutoscalingV1ContainerResourceMetricSource;
  external?: AutoscalingV1ExternalMetricSource;
}
export interface AutoscalingV1ObjectMetricSource {
  target: AutoscalingV1CrossVersionObjectReference;
  metricName: string;
  targetValue: string;
  selector?: LabelSelector;
  averageValue?: string;
}
export interface AutoscalingV1PodsMetricSource {
  metricName: string;
  targetAverageValue: string;
  selector?: LabelSelector;
}
export interface AutoscalingV1ResourceMetricSource {
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: string;
}
export interface AutoscalingV1ContainerResourceMetricSource {
  name: string;
  targetAverageUtilization?: number;
  targetAverageValue?: string;
  container: string;
}
export interface AutoscalingV1ExternalMetricSource {
  metricName: string;
  metricSelector?: LabelSelector;
  targetValue?: string;
  targetAverageValue?: string;
}
export interface AutoscalingV1MetricStatus {
  type: MetricSourceType;
  object?: AutoscalingV1ObjectMetricStatus;
  pods?: AutoscalingV1PodsMetricStatus;
  resource?: AutoscalingV1ResourceMetricStatus;
  containerResource?: AutoscalingV1ContainerResourceMetricStatus;
  external?: AutoscalingV1ExternalMetricStatus;
}
export interface AutoscalingV1HorizontalPodAutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface AutoscalingV1ObjectMetricStatus {
  target: AutoscalingV1CrossVersionObjectReference;
  metricName: string;
  currentValue: string;
  selector?: LabelSelector;
  averageValue?: string;
}
export interface AutoscalingV1PodsMetricStatus {
  metricName: string;
  currentAverageValue: string;
  selector?: LabelSelector;
}
export interface AutoscalingV1ResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: string;
}
export interface AutoscalingV1ContainerResourceMetricStatus {
  name: string;
  currentAverageUtilization?: number;
  currentAverageValue: string;
  container: string;
}
export interface AutoscalingV1ExternalMetricStatus {
  metricName: string;
  metricSelector?: LabelSelector;
  currentValue: string;
  currentAverageValue?: string;
}
export interface APIServiceList extends TypeMeta {
  metadata: ListMeta;
  items: APIService[];
}
export interface ApiregistrationV1ServiceReference {
  namespace?: string;
  name?: string;
  port?: number;
}
export interface APIServiceSpec {
  service?: ApiregistrationV1ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: string;
  groupPriorityMinimum: number;
  versionPriority: number;
}
export interface APIServiceCondition {
  type: string;
  status: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface APIServiceStatus {
  conditions?: APIServiceCondition[];
}
export interface APIService extends TypeMeta {
  metadata: ObjectMeta;
  spec: APIServiceSpec;
  status?: APIServiceStatus;
}
export type PersistentVolumeReclaimPolicy = 'Recycle' | 'Delete' | 'Retain';
export type PersistentVolumeMode = 'Block' | 'Filesystem';
export type ClaimResourceStatus = 'ControllerResizeInProgress' | 'ControllerResizeInfeasible' | 'NodeResizePending' | 'NodeResizeInProgress' | 'NodeResizeInfeasible';
export type PersistentVolumeClaimModifyVolumeStatus = 'Pending' | 'InProgress' | 'Infeasible';
export type PersistentVolumeAccessMode = 'ReadWriteOnce' | 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOncePod';
export type PersistentVolumePhase = 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed';
export type PersistentVolumeClaimPhase = 'Pending' | 'Bound' | 'Lost';
export type HostPathType = '' | 'DirectoryOrCreate' | 'Directory' | 'FileOrCreate' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice';
export type Protocol = 'TCP' | 'UDP' | 'SCTP';
export type AzureDataDiskCachingMode = 'None' | 'ReadOnly' | 'ReadWrite';
export type AzureDataDiskKind = 'Shared' | 'Dedicated' | 'Managed';
export type MountPropagationMode = 'None' | 'HostToContainer' | 'Bidirectional';
export type URIScheme = 'HTTP' | 'HTTPS';
export type PullPolicy = 'Always' | 'Never' | 'IfNotPresent';
export type PreemptionPolicy = 'PreemptLowerPriority' | 'Never';
export type TerminationMessagePolicy = 'File' | 'FallbackToLogsOnError';
export type Signal = 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMAX-14' | 'SIGRTMAX-13' | 'SIGRTMAX-12' | 'SIGRTMAX-11' | 'SIGRTMAX-10' | 'SIGRTMAX-9' | 'SIGRTMAX-8' | 'SIGRTMAX-7' | 'SIGRTMAX-6' | 'SIGRTMAX-5' | 'SIGRTMAX-4' | 'SIGRTMAX-3' | 'SIGRTMAX-2' | 'SIGRTMAX-1' | 'SIGRTMAX';
export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
export type RestartPolicy = 'Always' | 'OnFailure' | 'Never';
export type DNSPolicy = 'ClusterFirstWithHostNet' | 'ClusterFirst' | 'Default' | 'None';
export type NodeSelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
export type TolerationOperator = 'Exists' | 'Equal' | 'Lt' | 'Gt';
export type UnsatisfiableConstraintAction = 'DoNotSchedule' | 'ScheduleAnyway';
export type NodeInclusionPolicy = 'Ignore' | 'Honor';
export type PodFSGroupChangePolicy = 'OnRootMismatch' | 'Always';
export type SupplementalGroupsPolicy = 'Merge' | 'Strict';
export type SeccompProfileType = 'Unconfined' | 'RuntimeDefault' | 'Localhost';
export type AppArmorProfileType = 'Unconfined' | 'RuntimeDefault' | 'Localhost';
export type PodQOSClass = 'Guaranteed' | 'Burstable' | 'BestEffort';
export type ServiceAffinity = 'ClientIP' | 'None';
export type ServiceType = 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
export type ServiceInternalTrafficPolicy = 'Cluster' | 'Local';
export type ServiceInternalTrafficPolicyType = string;
export type ServiceExternalTrafficPolicy = 'Cluster' | 'Local';
export type ServiceExternalTrafficPolicyType = string;
export type IPFamily = 'IPv4' | 'IPv6' | '';
export type IPFamilyPolicy = 'SingleStack' | 'PreferDualStack' | 'RequireDualStack';
export type IPFamilyPolicyType = string;
export type NodePhase = 'Pending' | 'Running' | 'Terminated';
export type NamespacePhase = 'Active' | 'Terminating';
export type ResourceQuotaScope = 'Terminating' | 'NotTerminating' | 'BestEffort' | 'NotBestEffort' | 'PriorityClass' | 'CrossNamespacePodAffinity' | 'VolumeAttributesClass';
export type ScopeSelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
export type ProcMountType = 'Default' | 'Unmasked';
export type PodManagementPolicyType = 'OrderedReady' | 'Parallel';
export type StatefulSetUpdateStrategyType = 'RollingUpdate' | 'OnDelete';
export type DeploymentStrategyType = 'Recreate' | 'RollingUpdate';
export type DaemonSetUpdateStrategyType = 'RollingUpdate' | 'OnDelete';
export type CompletionMode = 'NonIndexed' | 'Indexed';
export type PodFailurePolicyAction = 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
export type PodFailurePolicyOnExitCodesOperator = 'In' | 'NotIn';
export type PodReplacementPolicy = 'TerminatingOrFailed' | 'Failed';
export type ConcurrencyPolicy = 'Allow' | 'Forbid' | 'Replace';
export type UnhealthyPodEvictionPolicyType = 'IfHealthyBudget' | 'AlwaysAllow';
export type VolumeBindingMode = 'Immediate' | 'WaitForFirstConsumer';
export type PolicyType = 'Ingress' | 'Egress';
export type PathType = string;
export type KeyUsage = 'signing' | 'digital signature' | 'content commitment' | 'key encipherment' | 'key agreement' | 'data encipherment' | 'cert sign' | 'crl sign' | 'encipher only' | 'decipher only' | 'any' | 'server auth' | 'client auth' | 'code signing' | 'email protection' | 's/mime' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'timestamping' | 'ocsp signing' | 'microsoft sgc' | 'netscape sgc';
export type AddressType = string;
export type ScopeType = 'Cluster' | 'Namespaced' | '*';
export type FailurePolicyType = 'Ignore' | 'Fail';
export type MatchPolicyType = 'Exact' | 'Equivalent';
export type SideEffectClass = 'Unknown' | 'None' | 'Some' | 'NoneOnDryRun';
export type ValidationAction = 'Deny' | 'Warn' | 'Audit';
export type PatchType = 'ApplyConfiguration' | 'JSONPatch';
export type ReinvocationPolicyType = 'Never' | 'IfNeeded';
export type OperationType = '*' | 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
export type DeviceTaintEffect = 'None' | 'NoSchedule' | 'NoExecute';
export type DeviceAllocationMode = string;
export type DeviceTolerationOperator = 'Exists' | 'Equal';
export type AllocationConfigSource = 'FromClass' | 'FromClaim';
export type MetricSourceType = 'Object' | 'Pods' | 'Resource' | 'ContainerResource' | 'External';
