// Generated from the facts of Kubernetes 1.36.2. Do not edit; make it again: node packages/kubeapi/scripts/generate.ts 36.2

import type { JsonObject, JsonValue, TypeMeta } from '../json/json-value.ts';

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
/** What every list has. */
export interface ListMeta {
  selfLink?: string;
  /** The state that the list shows; a watch can begin there. */
  resourceVersion?: string;
  /** Ask again with this text to get the rest of the list. */
  continue?: string;
  /** How many objects are left beyond this part of the list. A whole number. */
  remainingItemCount?: number;
  shardInfo?: ShardInfo;
}
export interface ShardInfo {
  selector: string;
}
/** What every stored object has. */
export interface ObjectMeta {
  /** Unique among the objects of its kind in the namespace. Cannot be changed. */
  name?: string;
  /** A prefix to which the server adds random characters when no name is given. */
  generateName?: string;
  /** The space in which the name is unique. Cannot be changed. */
  namespace?: string;
  /** No longer set. */
  selfLink?: string;
  /** Unique over time and space; a new object of the same name has another one. Set by the system. */
  uid?: string;
  /** The stored version. Send it back with an update to have it refused when it is no longer current. */
  resourceVersion?: string;
  /** Counts changes of what is wanted. Set by the system. A whole number. */
  generation?: number;
  /** CreationTimestamp is a timestamp of when the server stored the object. Set by the system. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  creationTimestamp?: string;
  /** When the object will be gone, once its deletion was asked for. Set by the system. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  deletionTimestamp?: string;
  /** Seconds given to end in order before the object is removed. Set by the system. A whole number. */
  deletionGracePeriodSeconds?: number;
  /** Short names and values to select objects by. */
  labels?: Record<string, string>;
  /** Names and values for tools; not for selecting. Up to 256 KiB in all. */
  annotations?: Record<string, string>;
  /** The objects this one belongs to. It is removed when all of them are gone. Items are merged by `uid`. */
  ownerReferences?: OwnerReference[];
  /** Names of those who must act before the object may go. It stays until the list is empty. Each value once; merged. */
  finalizers?: string[];
  /** Who set which fields. Kept by the server for apply. Replaced as a whole. */
  managedFields?: ManagedFieldsEntry[];
}
/** Points to an object that this one belongs to. */
export interface OwnerReference {
  /** Version of the owner. */
  apiVersion: string;
  /** Kind of the owner. */
  kind: string;
  /** Name of the owner. */
  name: string;
  /** UID of the owner. */
  uid: string;
  /** True for the one owner that manages this object. */
  controller?: boolean;
  /** True when the owner may not go before this object in a foreground deletion. */
  blockOwnerDeletion?: boolean;
}
/** The kind ListOptions. API version `meta.k8s.io/v1`. */
export interface ListOptions extends TypeMeta {
  labelSelector?: string;
  fieldSelector?: string;
  watch?: boolean;
  allowWatchBookmarks?: boolean;
  resourceVersion?: string;
  resourceVersionMatch?: string;
  /** A whole number. */
  timeoutSeconds?: number;
  /** A whole number. */
  limit?: number;
  continue?: string;
  sendInitialEvents?: boolean;
  shardSelector?: string;
}
/** The kind GetOptions. API version `meta.k8s.io/v1`. */
export interface GetOptions extends TypeMeta {
  resourceVersion?: string;
}
/** How an object is to be deleted. API version `meta.k8s.io/v1`. */
export interface DeleteOptions extends TypeMeta {
  /** Seconds to end in order; 0 deletes at once. A whole number. */
  gracePeriodSeconds?: number;
  /** Delete only when these still hold. */
  preconditions?: Preconditions;
  orphanDependents?: boolean;
  /** What happens to dependents: Orphan, Background or Foreground. */
  propagationPolicy?: string;
  /** All: go through every step, delete nothing. Replaced as a whole. */
  dryRun?: string[];
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}
/** The kind CreateOptions. API version `meta.k8s.io/v1`. */
export interface CreateOptions extends TypeMeta {
  /** Replaced as a whole. */
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}
/** The kind PatchOptions. API version `meta.k8s.io/v1`. */
export interface PatchOptions extends TypeMeta {
  /** Replaced as a whole. */
  dryRun?: string[];
  force?: boolean;
  fieldManager?: string;
  fieldValidation?: string;
}
/** The kind ApplyOptions. API version `meta.k8s.io/v1`. */
export interface ApplyOptions extends TypeMeta {
  /** Replaced as a whole. */
  dryRun?: string[];
  force: boolean;
  fieldManager: string;
}
/** The kind UpdateOptions. API version `meta.k8s.io/v1`. */
export interface UpdateOptions extends TypeMeta {
  /** Replaced as a whole. */
  dryRun?: string[];
  fieldManager?: string;
  fieldValidation?: string;
}
export interface Preconditions {
  uid?: string;
  resourceVersion?: string;
}
/** The answer to a request that returns no object. API version `meta.k8s.io/v1`. */
export interface Status extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** Success or Failure. */
  status?: string;
  /** What happened, for people. */
  message?: string;
  /** Why it failed, in one word, for programs. */
  reason?: string;
  /** What the failure is about. */
  details?: StatusDetails;
  /** The HTTP status. A whole number. */
  code?: number;
}
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  /** Replaced as a whole. */
  causes?: StatusCause[];
  /** A whole number. */
  retryAfterSeconds?: number;
}
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}
/** The kind List. API version `meta.k8s.io/v1`. */
export interface List extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: JsonObject[];
}
/** The kind APIVersions. API version `meta.k8s.io/v1`. */
export interface APIVersions extends TypeMeta {
  /** Replaced as a whole. */
  versions: string[];
  /** Replaced as a whole. */
  serverAddressByClientCIDRs: ServerAddressByClientCIDR[];
}
/** The kind APIGroupList. API version `meta.k8s.io/v1`. */
export interface APIGroupList extends TypeMeta {
  /** Replaced as a whole. */
  groups: APIGroup[];
}
/** The kind APIGroup. API version `meta.k8s.io/v1`. */
export interface APIGroup extends TypeMeta {
  name: string;
  /** Replaced as a whole. */
  versions: GroupVersionForDiscovery[];
  preferredVersion?: GroupVersionForDiscovery;
  /** Replaced as a whole. */
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
  /** Replaced as a whole. */
  shortNames?: string[];
  /** Replaced as a whole. */
  categories?: string[];
  storageVersionHash?: string;
}
/** The kind APIResourceList. API version `meta.k8s.io/v1`. */
export interface APIResourceList extends TypeMeta {
  groupVersion: string;
  /** Replaced as a whole. */
  resources: APIResource[];
}
export interface RootPaths {
  /** Replaced as a whole. */
  paths: string[];
}
/** A condition on labels. All parts must hold; an empty one holds for every object. */
export interface LabelSelector {
  /** Labels that must be present with just these values. */
  matchLabels?: Record<string, string>;
  /** Further conditions. Replaced as a whole. */
  matchExpressions?: LabelSelectorRequirement[];
}
/** One condition on one label. */
export interface LabelSelectorRequirement {
  /** The label. */
  key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  operator: string;
  /** The values for In and NotIn; empty for the others. Replaced as a whole. */
  values?: string[];
}
export interface FieldSelectorRequirement {
  key: string;
  operator: string;
  /** Replaced as a whole. */
  values?: string[];
}
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  time?: string;
  fieldsType?: string;
  fieldsV1?: JsonObject;
  subresource?: string;
}
/** The kind Table. API version `meta.k8s.io/v1`. */
export interface Table extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** Replaced as a whole. */
  columnDefinitions: TableColumnDefinition[];
  /** Replaced as a whole. */
  rows: TableRow[];
}
export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  /** A whole number. */
  priority: number;
}
export interface TableRow {
  /** Replaced as a whole. */
  cells: JsonValue[];
  /** Replaced as a whole. */
  conditions?: TableRowCondition[];
  object?: JsonObject;
}
export interface TableRowCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}
/** The kind TableOptions. API version `meta.k8s.io/v1`. */
export interface TableOptions extends TypeMeta {
  includeObject?: string;
}
/** The kind PartialObjectMetadata. API version `meta.k8s.io/v1`. */
export interface PartialObjectMetadata extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
}
/** The kind PartialObjectMetadataList. API version `meta.k8s.io/v1`. */
export interface PartialObjectMetadataList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PartialObjectMetadata[];
}
/** One aspect of the present state. */
export interface Condition {
  /** Which aspect. */
  type: string;
  /** True, False or Unknown. */
  status: string;
  /** The generation this was true of. A whole number. */
  observedGeneration?: number;
  /** When the status last changed. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime: string;
  /** Why, in one word, for programs. */
  reason: string;
  /** Why, in a sentence, for people. */
  message: string;
}
export interface WatchEvent {
  type: string;
  object: JsonObject;
}
/** Something that containers of the pod can mount. Besides the name exactly one source is given. */
export interface Volume extends VolumeSource {
  /** How volumeMounts refer to it. */
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
/** Storage of the cluster. API version `v1`. */
export interface PersistentVolume extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: PersistentVolumeSpec;
  /** What was last seen of it. Written by the system. */
  status?: PersistentVolumeStatus;
}
export interface PersistentVolumeSpec extends PersistentVolumeSource {
  /** Each value: a quantity: `500m`, `1Gi`. */
  capacity?: Record<string, string>;
  /** Replaced as a whole. */
  accessModes?: PersistentVolumeAccessMode[];
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy;
  storageClassName?: string;
  /** Replaced as a whole. */
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
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastPhaseTransitionTime?: string;
}
/** The kind PersistentVolumeList. API version `v1`. */
export interface PersistentVolumeList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PersistentVolume[];
}
/** A wish for storage. API version `v1`. */
export interface PersistentVolumeClaim extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: PersistentVolumeClaimSpec;
  /** What was last seen of it. Written by the system. */
  status?: PersistentVolumeClaimStatus;
}
/** The kind PersistentVolumeClaimList. API version `v1`. */
export interface PersistentVolumeClaimList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PersistentVolumeClaim[];
}
export interface PersistentVolumeClaimSpec {
  /** Replaced as a whole. */
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
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastProbeTime?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface PersistentVolumeClaimStatus {
  phase?: PersistentVolumeClaimPhase;
  /** Replaced as a whole. */
  accessModes?: PersistentVolumeAccessMode[];
  /** Each value: a quantity: `500m`, `1Gi`. */
  capacity?: Record<string, string>;
  /** Items are merged by `type`. */
  conditions?: PersistentVolumeClaimCondition[];
  /** Each value: a quantity: `500m`, `1Gi`. */
  allocatedResources?: Record<string, string>;
  allocatedResourceStatuses?: Record<string, ClaimResourceStatus>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
}
/** A file or folder of the node. */
export interface HostPathVolumeSource {
  /** Where it is on the node. */
  path: string;
  /** What must be there: Directory, DirectoryOrCreate, File, FileOrCreate, Socket, … */
  type?: HostPathType;
}
/** An empty folder. */
export interface EmptyDirVolumeSource {
  /** Memory puts it into RAM. */
  medium?: string;
  /** How much it may hold. A quantity: `500m`, `1Gi`. */
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
  /** Replaced as a whole. */
  monitors: string[];
  image: string;
  fsType?: string;
  /** Default `"rbd"`. */
  pool?: string;
  /** Default `"admin"`. */
  user?: string;
  /** Default `"/etc/ceph/keyring"`. */
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}
export interface RBDPersistentVolumeSource {
  /** Replaced as a whole. */
  monitors: string[];
  image: string;
  fsType?: string;
  /** Default `"rbd"`. */
  pool?: string;
  /** Default `"admin"`. */
  user?: string;
  /** Default `"/etc/ceph/keyring"`. */
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
  /** Replaced as a whole. */
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
  /** Replaced as a whole. */
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
  /** A whole number. */
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
  /** A whole number. */
  partition?: number;
  readOnly?: boolean;
}
export interface GitRepoVolumeSource {
  repository: string;
  revision?: string;
  directory?: string;
}
/** A secret as files. */
export interface SecretVolumeSource {
  /** Name of the secret. */
  secretName?: string;
  /** Which keys, under which paths; all when empty. Replaced as a whole. */
  items?: KeyToPath[];
  /** Permissions of the files; 0644 unless said otherwise. A whole number. */
  defaultMode?: number;
  /** Start even when it does not exist. */
  optional?: boolean;
}
export interface SecretProjection extends LocalObjectReference {
  /** Replaced as a whole. */
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
  /** A whole number. */
  lun: number;
  /** Default `"default"`. */
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  /** Replaced as a whole. */
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
}
export interface ISCSIPersistentVolumeSource {
  targetPortal: string;
  iqn: string;
  /** A whole number. */
  lun: number;
  /** Default `"default"`. */
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  /** Replaced as a whole. */
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
}
export interface FCVolumeSource {
  /** Replaced as a whole. */
  targetWWNs?: string[];
  /** A whole number. */
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  /** Replaced as a whole. */
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
  /** Default `"ReadWrite"`. */
  cachingMode?: AzureDataDiskCachingMode;
  /** Default `"ext4"`. */
  fsType?: string;
  /** Default `false`. */
  readOnly?: boolean;
  /** Default `"Shared"`. */
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
  /** Default `"ThinProvisioned"`. */
  storageMode?: string;
  volumeName?: string;
  /** Default `"xfs"`. */
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
  /** Default `"ThinProvisioned"`. */
  storageMode?: string;
  volumeName?: string;
  /** Default `"xfs"`. */
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
/** A config map as files. */
export interface ConfigMapVolumeSource extends LocalObjectReference {
  /** Which keys, under which paths; all when empty. Replaced as a whole. */
  items?: KeyToPath[];
  /** Permissions of the files; 0644 unless said otherwise. A whole number. */
  defaultMode?: number;
  /** Start even when it does not exist. */
  optional?: boolean;
}
export interface ConfigMapProjection extends LocalObjectReference {
  /** Replaced as a whole. */
  items?: KeyToPath[];
  optional?: boolean;
}
export interface ServiceAccountTokenProjection {
  audience?: string;
  /** A whole number. */
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
  /** A whole number. */
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
}
/** Several sources in one folder. */
export interface ProjectedVolumeSource {
  /** What is put into it. Replaced as a whole. */
  sources?: VolumeProjection[];
  /** Permissions of the files; 0644 unless said otherwise. A whole number. */
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
/** A key and the file it becomes. */
export interface KeyToPath {
  /** The key. */
  key: string;
  /** Path of the file inside the volume. */
  path: string;
  /** Permissions of the file. A whole number. */
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
/** A port of a container. */
export interface ContainerPort {
  /** Services can refer to the port by it. */
  name?: string;
  /** The port of the node that leads to it. A whole number. */
  hostPort?: number;
  /** The number, 1 to 65535. A whole number. */
  containerPort: number;
  /** TCP, UDP or SCTP. Default `"TCP"`. */
  protocol?: Protocol;
  /** The address of the node for hostPort. */
  hostIP?: string;
}
/** Where a volume appears. */
export interface VolumeMount {
  /** A volume of the pod. */
  name: string;
  /** Mount it read-only. */
  readOnly?: boolean;
  /** Make mounts below it read-only too. */
  recursiveReadOnly?: string;
  /** The path inside the container. */
  mountPath: string;
  /** A path inside the volume to mount instead of its root. */
  subPath?: string;
  /** Whether mounts made later are seen: None, HostToContainer or Bidirectional. */
  mountPropagation?: MountPropagationMode;
  /** Like subPath, with variables. */
  subPathExpr?: string;
}
export interface VolumeDevice {
  name: string;
  devicePath: string;
}
/** An environment variable. */
export interface EnvVar {
  /** Its name. */
  name: string;
  /** Its value; $(NAME) stands for an earlier variable. */
  value?: string;
  /** Where the value comes from instead. */
  valueFrom?: EnvVarSource;
}
/** Where a value comes from. */
export interface EnvVarSource {
  /** A field of the pod. */
  fieldRef?: ObjectFieldSelector;
  /** A request or limit of a container. */
  resourceFieldRef?: ResourceFieldSelector;
  /** A key of a config map. */
  configMapKeyRef?: ConfigMapKeySelector;
  /** A key of a secret. */
  secretKeyRef?: SecretKeySelector;
  /** A key of a file that an earlier container has written. */
  fileKeyRef?: FileKeySelector;
}
/** A key of a file with lines of NAME='value', in a volume of the pod. */
export interface FileKeySelector {
  /** Of an emptyDir. */
  volumeName: string;
  /** Of the file, in that volume. */
  path: string;
  /** The name in the file. */
  key: string;
  /** The variable is left out where the file or the key is missing. Default `false`. */
  optional?: boolean;
}
export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath: string;
}
export interface ResourceFieldSelector {
  containerName?: string;
  resource: string;
  /** A quantity: `500m`, `1Gi`. */
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
/** Many variables at once. */
export interface EnvFromSource {
  /** Put before each name. */
  prefix?: string;
  /** The config map. */
  configMapRef?: ConfigMapEnvSource;
  /** The secret. */
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
  /** A number, or a text such as `25%` or the name of a port. */
  port: number | string;
  host?: string;
  scheme?: URIScheme;
  /** Replaced as a whole. */
  httpHeaders?: HTTPHeader[];
}
export interface TCPSocketAction {
  /** A number, or a text such as `25%` or the name of a port. */
  port: number | string;
  host?: string;
}
export interface GRPCAction {
  /** A whole number. */
  port: number;
  service?: string;
}
export interface ExecAction {
  /** Replaced as a whole. */
  command?: string[];
}
export interface SleepAction {
  /** A whole number. */
  seconds: number;
}
/** Looks at a container again and again. */
export interface Probe extends ProbeHandler {
  /** Seconds to wait after the start. A whole number. */
  initialDelaySeconds?: number;
  /** Seconds to wait for an answer; 1 unless said otherwise. A whole number. */
  timeoutSeconds?: number;
  /** Seconds between two looks; 10 unless said otherwise. A whole number. */
  periodSeconds?: number;
  /** How many successes in a row count as one; 1 unless said otherwise. A whole number. */
  successThreshold?: number;
  /** How many failures in a row count as one; 3 unless said otherwise. A whole number. */
  failureThreshold?: number;
  /** Grace period when this probe ends the container. A whole number. */
  terminationGracePeriodSeconds?: number;
}
export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}
export interface Capabilities {
  /** Replaced as a whole. */
  add?: string[];
  /** Replaced as a whole. */
  drop?: string[];
}
/** Compute resources. */
export interface ResourceRequirements {
  /** What may be used at most. Each value: a quantity: `500m`, `1Gi`. */
  limits?: Record<string, string>;
  /** What is set aside; the limits unless said otherwise. Each value: a quantity: `500m`, `1Gi`. */
  requests?: Record<string, string>;
  /** Devices, by the names of the pod’s resourceClaims. Items are merged by `name`. */
  claims?: ResourceClaim[];
}
export interface VolumeResourceRequirements {
  /** Each value: a quantity: `500m`, `1Gi`. */
  limits?: Record<string, string>;
  /** Each value: a quantity: `500m`, `1Gi`. */
  requests?: Record<string, string>;
}
/** A wish for devices. */
export interface ResourceClaim {
  name: string;
  request?: string;
}
/** One container of a pod. */
export interface Container {
  /** Unique within the pod. Cannot be changed. */
  name: string;
  /** The image to run. */
  image?: string;
  /** What to run instead of the entry point of the image. $(NAME) stands for a variable. Replaced as a whole. */
  command?: string[];
  /** What to run it with, instead of the arguments of the image. Replaced as a whole. */
  args?: string[];
  /** The folder to start in; the image says it otherwise. */
  workingDir?: string;
  /** Ports that the container listens on. Leaving one out does not close it. Items are merged by `containerPort` and `protocol`. */
  ports?: ContainerPort[];
  /** Config maps and secrets whose keys become environment variables. Replaced as a whole. */
  envFrom?: EnvFromSource[];
  /** Environment variables. Items are merged by `name`. */
  env?: EnvVar[];
  /** What the container asks for and what it may use at most. */
  resources?: ResourceRequirements;
  /** Whether a change of resources restarts the container. Replaced as a whole. */
  resizePolicy?: ContainerResizePolicy[];
  /** Always makes an init container a sidecar. */
  restartPolicy?: string;
  /** Replaced as a whole. */
  restartPolicyRules?: ContainerRestartRule[];
  /** Where volumes of the pod appear. Items are merged by `mountPath`. */
  volumeMounts?: VolumeMount[];
  /** Where block volumes of the pod appear. Items are merged by `devicePath`. */
  volumeDevices?: VolumeDevice[];
  /** Restarts the container when it fails. */
  livenessProbe?: Probe;
  /** Takes the container out of services while it fails. */
  readinessProbe?: Probe;
  /** Holds the other probes back until it succeeds. */
  startupProbe?: Probe;
  /** What to do after the start and before the end. */
  lifecycle?: Lifecycle;
  /** The file whose text becomes the message of the end. /dev/termination-log unless said otherwise. */
  terminationMessagePath?: string;
  /** File, or FallbackToLogsOnError to take the end of the log when a failed container left no message. */
  terminationMessagePolicy?: TerminationMessagePolicy;
  /** Always, IfNotPresent or Never. Always for the tag latest, else IfNotPresent. */
  imagePullPolicy?: PullPolicy;
  /** User, capabilities and other limits of this container. */
  securityContext?: SecurityContext;
  /** Give the container a standard input that stays open. */
  stdin?: boolean;
  /** Close the standard input after the first who attached is gone. */
  stdinOnce?: boolean;
  /** Give the container a terminal; needs stdin. */
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
/** What to do around the life of a container. */
export interface Lifecycle {
  /** Right after the start. */
  postStart?: LifecycleHandler;
  /** Before the end. */
  preStop?: LifecycleHandler;
  /** The signal that asks it to end. */
  stopSignal?: Signal;
}
export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}
export interface ContainerStateRunning {
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  startedAt?: string;
}
export interface ContainerStateTerminated {
  /** A whole number. */
  exitCode: number;
  /** A whole number. */
  signal?: number;
  reason?: string;
  message?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  startedAt?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  finishedAt?: string;
  containerID?: string;
}
export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}
/** What was last seen of a container. */
export interface ContainerStatus {
  /** The container. */
  name: string;
  /** Waiting, running or terminated, with details. */
  state?: ContainerState;
  /** How its previous run ended. */
  lastState?: ContainerState;
  /** Whether it passed its readiness probe. */
  ready: boolean;
  /** How often it was started again. A whole number. */
  restartCount: number;
  /** The image it runs. */
  image: string;
  /** The digest of the image. */
  imageID: string;
  /** The runtime’s name for it: TYPE://ID. */
  containerID?: string;
  /** Whether it passed its startup probe. */
  started?: boolean;
  /** Each value: a quantity: `500m`, `1Gi`. */
  allocatedResources?: Record<string, string>;
  resources?: ResourceRequirements;
  /** Items are merged by `mountPath`. */
  volumeMounts?: VolumeMountStatus[];
  user?: ContainerUser;
  /** Items are merged by `name`. */
  allocatedResourcesStatus?: ResourceStatus[];
  stopSignal?: Signal;
}
export interface ResourceStatus {
  name: string;
  /** Items are merged by `resourceID`. */
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
  /** A whole number. */
  uid: number;
  /** A whole number. */
  gid: number;
  /** Each: a whole number. Replaced as a whole. */
  supplementalGroups?: number[];
}
/** One aspect of the state of a pod. */
export interface PodCondition {
  /** PodScheduled, Initialized, ContainersReady, Ready, … */
  type: string;
  /** A whole number. */
  observedGeneration?: number;
  /** True, False or Unknown. */
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastProbeTime?: string;
  /** When the status last changed. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  /** Why, in one word. */
  reason?: string;
  /** Why, for people. */
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
  /** Each: a whole number. Each value once; merged. */
  values?: number[];
}
export interface NodeSelector {
  /** Replaced as a whole. */
  nodeSelectorTerms: NodeSelectorTerm[];
}
export interface NodeSelectorTerm {
  /** Replaced as a whole. */
  matchExpressions?: NodeSelectorRequirement[];
  /** Replaced as a whole. */
  matchFields?: NodeSelectorRequirement[];
}
export interface NodeSelectorRequirement {
  key: string;
  operator: NodeSelectorOperator;
  /** Replaced as a whole. */
  values?: string[];
}
export interface TopologySelectorTerm {
  /** Replaced as a whole. */
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}
export interface TopologySelectorLabelRequirement {
  key: string;
  /** Replaced as a whole. */
  values: string[];
}
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}
export interface PodAffinity {
  /** Replaced as a whole. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  /** Replaced as a whole. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}
export interface PodAntiAffinity {
  /** Replaced as a whole. */
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  /** Replaced as a whole. */
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}
export interface WeightedPodAffinityTerm {
  /** A whole number. */
  weight: number;
  podAffinityTerm: PodAffinityTerm;
}
export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  /** Replaced as a whole. */
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: LabelSelector;
  /** Replaced as a whole. */
  matchLabelKeys?: string[];
  /** Replaced as a whole. */
  mismatchLabelKeys?: string[];
}
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  /** Replaced as a whole. */
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
}
export interface PreferredSchedulingTerm {
  /** A whole number. */
  weight: number;
  preference: NodeSelectorTerm;
}
export interface Taint {
  key: string;
  value?: string;
  effect: TaintEffect;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  timeAdded?: string;
}
/** Puts up with taints that match. */
export interface Toleration {
  /** The taint; empty matches all. */
  key?: string;
  /** Exists or Equal. */
  operator?: TolerationOperator;
  /** The value of the taint. */
  value?: string;
  /** NoSchedule, PreferNoSchedule or NoExecute; empty matches all. */
  effect?: TaintEffect;
  /** How long NoExecute is put up with. A whole number. */
  tolerationSeconds?: number;
}
export interface PodReadinessGate {
  conditionType: string;
}
/** What a pod should run, where and how. */
export interface PodSpec {
  /** Folders and files that the containers can mount. Items are merged by `name`. */
  volumes?: Volume[];
  /** Containers that run one after another, each to its end, before the others start. With restartPolicy Always one stays beside them as a sidecar. Items are merged by `name`. */
  initContainers?: Container[];
  /** The containers of the pod; at least one. The list cannot be changed later. Items are merged by `name`. */
  containers: Container[];
  /** Containers added to a running pod to look into it. Set through the ephemeralcontainers sub-resource only. Items are merged by `name`. */
  ephemeralContainers?: EphemeralContainer[];
  /** Whether ended containers start again: Always, OnFailure or Never. Always unless said otherwise. */
  restartPolicy?: RestartPolicy;
  /** Seconds between the request to end and the kill. 30 unless said otherwise; 0 kills at once. A whole number. */
  terminationGracePeriodSeconds?: number;
  /** Seconds the pod may be active before it is ended as failed. A whole number. */
  activeDeadlineSeconds?: number;
  /** Where the containers resolve names: ClusterFirst, ClusterFirstWithHostNet, Default or None. */
  dnsPolicy?: DNSPolicy;
  /** Labels that the node must have. Replaced as a whole. */
  nodeSelector?: Record<string, string>;
  /** The service account whose token the pod gets. */
  serviceAccountName?: string;
  /** Old name of serviceAccountName. */
  serviceAccount?: string;
  /** Whether a token of the service account is mounted. */
  automountServiceAccountToken?: boolean;
  /** The node that runs the pod. Set by the scheduler when it is empty. */
  nodeName?: string;
  /** Use the node's network instead of one of its own. */
  hostNetwork?: boolean;
  /** Use the node's process namespace. */
  hostPID?: boolean;
  /** Use the node's IPC namespace. */
  hostIPC?: boolean;
  /** Let all containers of the pod see one another’s processes. */
  shareProcessNamespace?: boolean;
  /** User, groups and other limits for all containers; a container can override them. */
  securityContext?: PodSecurityContext;
  /** Secrets with credentials for the registries of the images. Items are merged by `name`. */
  imagePullSecrets?: LocalObjectReference[];
  /** The name of the host that the containers see. The name of the pod unless said otherwise. */
  hostname?: string;
  /** With it the full name becomes HOSTNAME.SUBDOMAIN.NAMESPACE.svc.DOMAIN. */
  subdomain?: string;
  /** Rules that draw the pod to nodes and pods, or keep it off. */
  affinity?: Affinity;
  /** The scheduler that chooses the node. */
  schedulerName?: string;
  /** Taints of nodes that this pod puts up with. Replaced as a whole. */
  tolerations?: Toleration[];
  /** Further lines for /etc/hosts. Items are merged by `ip`. */
  hostAliases?: HostAlias[];
  /** The class that says how important the pod is. */
  priorityClassName?: string;
  /** How important the pod is, as a number. Set from priorityClassName. A whole number. */
  priority?: number;
  /** Name servers, search domains and options beside what dnsPolicy gives. */
  dnsConfig?: PodDNSConfig;
  /** Further conditions that must be True for the pod to be ready. Replaced as a whole. */
  readinessGates?: PodReadinessGate[];
  /** The runtime class that the pod runs with. */
  runtimeClassName?: string;
  /** Whether services show up as environment variables. */
  enableServiceLinks?: boolean;
  /** Whether the pod may push out less important ones. */
  preemptionPolicy?: PreemptionPolicy;
  /** What the sandbox itself takes, from the runtime class. Each value: a quantity: `500m`, `1Gi`. */
  overhead?: Record<string, string>;
  /** How pods like this one are spread over zones and nodes. Items are merged by `topologyKey` and `whenUnsatisfiable`. */
  topologySpreadConstraints?: TopologySpreadConstraint[];
  /** Use the full name as the name of the host. */
  setHostnameAsFQDN?: boolean;
  /** The operating system of the containers. */
  os?: PodOS;
  /** False gives the pod a user namespace of its own. */
  hostUsers?: boolean;
  /** While the list is not empty, the pod is not scheduled. Items are merged by `name`. */
  schedulingGates?: PodSchedulingGate[];
  /** Claims on devices that containers may refer to. Items are merged by `name`. */
  resourceClaims?: PodResourceClaim[];
  /** Compute resources of the pod as a whole. */
  resources?: ResourceRequirements;
  /** The name of the host, whatever other fields say. */
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
  /** Replaced as a whole. */
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
  /** A whole number. */
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: UnsatisfiableConstraintAction;
  labelSelector?: LabelSelector;
  /** A whole number. */
  minDomains?: number;
  nodeAffinityPolicy?: NodeInclusionPolicy;
  nodeTaintsPolicy?: NodeInclusionPolicy;
  /** Replaced as a whole. */
  matchLabelKeys?: string[];
}
export interface HostAlias {
  ip: string;
  /** Replaced as a whole. */
  hostnames?: string[];
}
/** User, groups and limits of all containers of a pod. */
export interface PodSecurityContext {
  /** The SELinux label of the processes. */
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  /** The user that processes run as; the image says it otherwise. A whole number. */
  runAsUser?: number;
  /** The primary group of the processes. A whole number. */
  runAsGroup?: number;
  /** Refuse to start a container whose user is 0. */
  runAsNonRoot?: boolean;
  /** Further groups of the first process. Each: a whole number. Replaced as a whole. */
  supplementalGroups?: number[];
  supplementalGroupsPolicy?: SupplementalGroupsPolicy;
  /** The group that owns the volumes. A whole number. */
  fsGroup?: number;
  /** Kernel parameters of the pod’s namespaces. Replaced as a whole. */
  sysctls?: Sysctl[];
  fsGroupChangePolicy?: PodFSGroupChangePolicy;
  /** Which system calls are allowed. */
  seccompProfile?: SeccompProfile;
  /** The AppArmor profile of the processes. */
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
  /** Replaced as a whole. */
  nameservers?: string[];
  /** Replaced as a whole. */
  searches?: string[];
  /** Replaced as a whole. */
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
  /** Replaced as a whole. */
  command?: string[];
  /** Replaced as a whole. */
  args?: string[];
  workingDir?: string;
  /** Items are merged by `containerPort` and `protocol`. */
  ports?: ContainerPort[];
  /** Replaced as a whole. */
  envFrom?: EnvFromSource[];
  /** Items are merged by `name`. */
  env?: EnvVar[];
  resources?: ResourceRequirements;
  /** Replaced as a whole. */
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  /** Replaced as a whole. */
  restartPolicyRules?: ContainerRestartRule[];
  /** Items are merged by `mountPath`. */
  volumeMounts?: VolumeMount[];
  /** Items are merged by `devicePath`. */
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
/** A container added to a running pod to look into it. */
export interface EphemeralContainer extends EphemeralContainerCommon {
  /** The container whose processes it sees. */
  targetContainerName?: string;
}
/** What was last seen of the pod. It may lag behind. */
export interface PodStatus {
  /** The generation this status is about. A whole number. */
  observedGeneration?: number;
  /** Pending, Running, Succeeded, Failed or Unknown: a summary of the containers. */
  phase?: PodPhase;
  /** PodScheduled, Initialized, ContainersReady, Ready and others. Items are merged by `type`. */
  conditions?: PodCondition[];
  /** Why the pod is in this phase, for people. */
  message?: string;
  /** Why the pod is in this phase, in one word. */
  reason?: string;
  /** Where the pod will go once others have made room. */
  nominatedNodeName?: string;
  /** The address of the node. */
  hostIP?: string;
  /** All addresses of the node. Items are merged by `ip`. */
  hostIPs?: HostIP[];
  /** The address of the pod. */
  podIP?: string;
  /** All addresses of the pod. Items are merged by `ip`. */
  podIPs?: PodIP[];
  /** When the node took the pod up. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  startTime?: string;
  /** One entry per init container. Replaced as a whole. */
  initContainerStatuses?: ContainerStatus[];
  /** One entry per container. Replaced as a whole. */
  containerStatuses?: ContainerStatus[];
  /** BestEffort, Burstable or Guaranteed, from requests and limits. */
  qosClass?: PodQOSClass;
  /** One entry per ephemeral container. Replaced as a whole. */
  ephemeralContainerStatuses?: ContainerStatus[];
  resize?: string;
  /** Items are merged by `name`. */
  resourceClaimStatuses?: PodResourceClaimStatus[];
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  /** Each value: a quantity: `500m`, `1Gi`. */
  allocatedResources?: Record<string, string>;
  resources?: ResourceRequirements;
  /** Replaced as a whole. */
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
}
/** The kind PodStatusResult. API version `v1`. */
export interface PodStatusResult extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What was last seen of it. Written by the system. */
  status?: PodStatus;
}
/** A group of containers that run on one node, share its network and may share volumes. API version `v1`. */
export interface Pod extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: PodSpec;
  /** What was last seen of it. Written by the system. */
  status?: PodStatus;
}
/** A list of pods. API version `v1`. */
export interface PodList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Pod[];
}
/** What the pods made from it look like. */
export interface PodTemplateSpec {
  /** Labels and annotations of the pods. */
  metadata?: ObjectMeta;
  /** The spec of the pods. */
  spec?: PodSpec;
}
/** What pods made from it look like. API version `v1`. */
export interface PodTemplate extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  template?: PodTemplateSpec;
}
/** The kind PodTemplateList. API version `v1`. */
export interface PodTemplateList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PodTemplate[];
}
export interface ReplicationControllerSpec {
  /** A whole number. Default `1`. */
  replicas?: number;
  /** A whole number. Default `0`. */
  minReadySeconds?: number;
  /** Replaced as a whole. */
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
}
export interface ReplicationControllerStatus {
  /** A whole number. */
  replicas: number;
  /** A whole number. */
  fullyLabeledReplicas?: number;
  /** A whole number. */
  readyReplicas?: number;
  /** A whole number. */
  availableReplicas?: number;
  /** A whole number. */
  observedGeneration?: number;
  /** Items are merged by `type`. */
  conditions?: ReplicationControllerCondition[];
}
export interface ReplicationControllerCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** The kind ReplicationController. API version `v1`. */
export interface ReplicationController extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ReplicationControllerSpec;
  /** What was last seen of it. Written by the system. */
  status?: ReplicationControllerStatus;
}
/** The kind ReplicationControllerList. API version `v1`. */
export interface ReplicationControllerList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ReplicationController[];
}
export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}
export interface ClientIPConfig {
  /** A whole number. */
  timeoutSeconds?: number;
}
export interface ServiceStatus {
  loadBalancer?: LoadBalancerStatus;
  /** Items are merged by `type`. */
  conditions?: Condition[];
}
export interface LoadBalancerStatus {
  /** Replaced as a whole. */
  ingress?: LoadBalancerIngress[];
}
export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  /** Replaced as a whole. */
  ports?: PortStatus[];
}
/** What a service offers. */
export interface ServiceSpec {
  /** Its ports. Items are merged by `port` and `protocol`. */
  ports?: ServicePort[];
  /** Labels of the pods behind it. Replaced as a whole. */
  selector?: Record<string, string>;
  /** Its address inside the cluster; None for none. */
  clusterIP?: string;
  /** Replaced as a whole. */
  clusterIPs?: string[];
  /** ClusterIP, NodePort, LoadBalancer or ExternalName. */
  type?: ServiceType;
  /** Further addresses that lead to it. Replaced as a whole. */
  externalIPs?: string[];
  /** ClientIP sends a client to the same pod. */
  sessionAffinity?: ServiceAffinity;
  loadBalancerIP?: string;
  /** Replaced as a whole. */
  loadBalancerSourceRanges?: string[];
  /** The name that an ExternalName service stands for. */
  externalName?: string;
  externalTrafficPolicy?: ServiceExternalTrafficPolicy;
  /** A whole number. */
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  /** Replaced as a whole. */
  ipFamilies?: IPFamily[];
  ipFamilyPolicy?: IPFamilyPolicy;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: ServiceInternalTrafficPolicy;
  trafficDistribution?: string;
}
/** A port of a service. */
export interface ServicePort {
  /** Its name; needed when there are several. */
  name?: string;
  /** TCP, UDP or SCTP. Default `"TCP"`. */
  protocol?: Protocol;
  /** What is spoken on it. */
  appProtocol?: string;
  /** The number that clients use. A whole number. */
  port: number;
  /** The port of the pods, by number or name. A number, or a text such as `25%` or the name of a port. */
  targetPort?: number | string;
  /** The port on every node. A whole number. */
  nodePort?: number;
}
/** One address in front of pods. API version `v1`. */
export interface Service extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ServiceSpec;
  /** What was last seen of it. Written by the system. */
  status?: ServiceStatus;
}
/** The kind ServiceList. API version `v1`. */
export interface ServiceList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Service[];
}
/** An identity for pods. API version `v1`. */
export interface ServiceAccount extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** Secrets its pods may use. Items are merged by `name`. */
  secrets?: ObjectReference[];
  /** Registry credentials given to its pods. Replaced as a whole. */
  imagePullSecrets?: LocalObjectReference[];
  /** Whether its pods get a token. */
  automountServiceAccountToken?: boolean;
}
/** The kind ServiceAccountList. API version `v1`. */
export interface ServiceAccountList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ServiceAccount[];
}
/** The addresses behind a service, in the old form. API version `v1`. */
export interface Endpoints extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** Addresses and ports that belong together. Replaced as a whole. */
  subsets?: EndpointSubset[];
}
export interface EndpointSubset {
  /** Replaced as a whole. */
  addresses?: EndpointAddress[];
  /** Replaced as a whole. */
  notReadyAddresses?: EndpointAddress[];
  /** Replaced as a whole. */
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
  /** A whole number. */
  port: number;
  protocol?: Protocol;
  appProtocol?: string;
}
/** The kind EndpointsList. API version `v1`. */
export interface EndpointsList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Endpoints[];
}
/** What is wanted of a node. */
export interface NodeSpec {
  /** The range its pods get addresses from. */
  podCIDR?: string;
  /** The ranges its pods get addresses from. Each value once; merged. */
  podCIDRs?: string[];
  /** The name of the machine at its provider. */
  providerID?: string;
  /** True keeps new pods off. */
  unschedulable?: boolean;
  /** Keep pods off that do not tolerate them. Replaced as a whole. */
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
  /** A whole number. */
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
  /** A whole number. */
  capacity?: number;
}
export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
}
/** What was last seen of a node. */
export interface NodeStatus {
  /** What the machine has. Each value: a quantity: `500m`, `1Gi`. */
  capacity?: Record<string, string>;
  /** What of it pods may use. Each value: a quantity: `500m`, `1Gi`. */
  allocatable?: Record<string, string>;
  phase?: NodePhase;
  /** Ready, MemoryPressure, DiskPressure, PIDPressure, … Items are merged by `type`. */
  conditions?: NodeCondition[];
  /** How to reach it. Items are merged by `type`. */
  addresses?: NodeAddress[];
  /** The port of the kubelet. */
  daemonEndpoints?: NodeDaemonEndpoints;
  /** Versions and ids of the machine. */
  nodeInfo?: NodeSystemInfo;
  /** Images that are there. Replaced as a whole. */
  images?: ContainerImage[];
  /** Replaced as a whole. */
  volumesInUse?: string[];
  /** Replaced as a whole. */
  volumesAttached?: AttachedVolume[];
  config?: NodeConfigStatus;
  /** Replaced as a whole. */
  runtimeHandlers?: NodeRuntimeHandler[];
  features?: NodeFeatures;
  /** Replaced as a whole. */
  declaredFeatures?: string[];
}
export interface AttachedVolume {
  name: string;
  devicePath: string;
}
export interface AvoidPods {
  /** Replaced as a whole. */
  preferAvoidPods?: PreferAvoidPodsEntry[];
}
export interface PreferAvoidPodsEntry {
  podSignature: PodSignature;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  evictionTime?: string;
  reason?: string;
  message?: string;
}
export interface PodSignature {
  podController?: OwnerReference;
}
export interface ContainerImage {
  /** Replaced as a whole. */
  names?: string[];
  /** A whole number. */
  sizeBytes?: number;
}
export interface NodeCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastHeartbeatTime?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface NodeAddress {
  type: string;
  address: string;
}
/** A machine that runs pods. API version `v1`. */
export interface Node extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: NodeSpec;
  /** What was last seen of it. Written by the system. */
  status?: NodeStatus;
}
/** The kind NodeList. API version `v1`. */
export interface NodeList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Node[];
}
export interface NamespaceSpec {
  /** Replaced as a whole. */
  finalizers?: string[];
}
/** What was last seen of a namespace. */
export interface NamespaceStatus {
  /** Active or Terminating. */
  phase?: NamespacePhase;
  /** Items are merged by `type`. */
  conditions?: NamespaceCondition[];
}
export interface NamespaceCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** A space for names. API version `v1`. */
export interface Namespace extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: NamespaceSpec;
  /** What was last seen of it. Written by the system. */
  status?: NamespaceStatus;
}
/** The kind NamespaceList. API version `v1`. */
export interface NamespaceList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Namespace[];
}
/** The kind Binding. API version `v1`. */
export interface Binding extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  target: ObjectReference;
}
export interface CoreV1Preconditions {
  uid?: string;
}
/** The kind PodLogOptions. API version `v1`. */
export interface PodLogOptions extends TypeMeta {
  container?: string;
  follow?: boolean;
  previous?: boolean;
  /** A whole number. */
  sinceSeconds?: number;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  sinceTime?: string;
  timestamps?: boolean;
  /** A whole number. */
  tailLines?: number;
  /** A whole number. */
  limitBytes?: number;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
}
/** The kind PodAttachOptions. API version `v1`. */
export interface PodAttachOptions extends TypeMeta {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
}
/** The kind PodExecOptions. API version `v1`. */
export interface PodExecOptions extends TypeMeta {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  /** Replaced as a whole. */
  command: string[];
}
/** The kind PodPortForwardOptions. API version `v1`. */
export interface PodPortForwardOptions extends TypeMeta {
  /** Each: a whole number. Replaced as a whole. */
  ports?: number[];
}
/** The kind PodProxyOptions. API version `v1`. */
export interface PodProxyOptions extends TypeMeta {
  path?: string;
}
/** The kind NodeProxyOptions. API version `v1`. */
export interface NodeProxyOptions extends TypeMeta {
  path?: string;
}
/** The kind ServiceProxyOptions. API version `v1`. */
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
/** Names an object in the same namespace. */
export interface LocalObjectReference {
  /** Its name. */
  name?: string;
}
export interface TypedLocalObjectReference {
  apiGroup?: string;
  kind: string;
  name: string;
}
/** The kind SerializedReference. API version `v1`. */
export interface SerializedReference extends TypeMeta {
  reference?: ObjectReference;
}
export interface EventSource {
  component?: string;
  host?: string;
}
/** Something that happened, kept for a while. API version `v1`. */
export interface Event extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What it happened to. */
  involvedObject: ObjectReference;
  /** What, in one word. */
  reason?: string;
  /** What, for people. */
  message?: string;
  /** Who says so. */
  source?: EventSource;
  /** When first. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  firstTimestamp?: string;
  /** When last. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTimestamp?: string;
  /** How often. A whole number. */
  count?: number;
  /** Normal or Warning. */
  type?: string;
  /** A time with microseconds, RFC 3339: `2026-01-02T15:04:05.000000Z`. */
  eventTime?: string;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent?: string;
  reportingInstance?: string;
}
export interface EventSeries {
  /** A whole number. */
  count?: number;
  /** A time with microseconds, RFC 3339: `2026-01-02T15:04:05.000000Z`. */
  lastObservedTime?: string;
}
/** The kind EventList. API version `v1`. */
export interface EventList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Event[];
}
export interface LimitRangeItem {
  type: string;
  /** Each value: a quantity: `500m`, `1Gi`. */
  max?: Record<string, string>;
  /** Each value: a quantity: `500m`, `1Gi`. */
  min?: Record<string, string>;
  /** Each value: a quantity: `500m`, `1Gi`. */
  default?: Record<string, string>;
  /** Each value: a quantity: `500m`, `1Gi`. */
  defaultRequest?: Record<string, string>;
  /** Each value: a quantity: `500m`, `1Gi`. */
  maxLimitRequestRatio?: Record<string, string>;
}
export interface LimitRangeSpec {
  /** Replaced as a whole. */
  limits: LimitRangeItem[];
}
/** Bounds and defaults for resources in a namespace. API version `v1`. */
export interface LimitRange extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: LimitRangeSpec;
}
/** The kind LimitRangeList. API version `v1`. */
export interface LimitRangeList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: LimitRange[];
}
export interface ResourceQuotaSpec {
  /** Each value: a quantity: `500m`, `1Gi`. */
  hard?: Record<string, string>;
  /** Replaced as a whole. */
  scopes?: ResourceQuotaScope[];
  scopeSelector?: ScopeSelector;
}
export interface ScopeSelector {
  /** Replaced as a whole. */
  matchExpressions?: ScopedResourceSelectorRequirement[];
}
export interface ScopedResourceSelectorRequirement {
  scopeName: ResourceQuotaScope;
  operator: ScopeSelectorOperator;
  /** Replaced as a whole. */
  values?: string[];
}
export interface ResourceQuotaStatus {
  /** Each value: a quantity: `500m`, `1Gi`. */
  hard?: Record<string, string>;
  /** Each value: a quantity: `500m`, `1Gi`. */
  used?: Record<string, string>;
}
/** How much a namespace may use. API version `v1`. */
export interface ResourceQuota extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ResourceQuotaSpec;
  /** What was last seen of it. Written by the system. */
  status?: ResourceQuotaStatus;
}
/** The kind ResourceQuotaList. API version `v1`. */
export interface ResourceQuotaList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ResourceQuota[];
}
/** Like a config map, for what should not be seen. API version `v1`. */
export interface Secret extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** True forbids changes for good. */
  immutable?: boolean;
  /** Values as base64. Each value: bytes, in base64. */
  data?: Record<string, string>;
  /** Values as text; written into data when stored. */
  stringData?: Record<string, string>;
  /** What it holds; Opaque unless said otherwise. */
  type?: string;
}
/** The kind SecretList. API version `v1`. */
export interface SecretList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Secret[];
}
/** Names and values for pods to read. API version `v1`. */
export interface ConfigMap extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** True forbids changes for good. */
  immutable?: boolean;
  /** Values as text. */
  data?: Record<string, string>;
  /** Values as base64. Each value: bytes, in base64. */
  binaryData?: Record<string, string>;
}
/** The kind ConfigMapList. API version `v1`. */
export interface ConfigMapList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ConfigMap[];
}
export interface ComponentCondition {
  type: string;
  status: string;
  message?: string;
  error?: string;
}
/** Whether a part of the cluster runs. Deprecated: what its lease says is newer. API version `v1`. */
export interface ComponentStatus extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What was found, under the type Healthy. Items are merged by `type`. */
  conditions?: ComponentCondition[];
}
/** The kind ComponentStatusList. API version `v1`. */
export interface ComponentStatusList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ComponentStatus[];
}
export interface DownwardAPIVolumeSource {
  /** Replaced as a whole. */
  items?: DownwardAPIVolumeFile[];
  /** A whole number. */
  defaultMode?: number;
}
export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  /** A whole number. */
  mode?: number;
}
export interface DownwardAPIProjection {
  /** Replaced as a whole. */
  items?: DownwardAPIVolumeFile[];
}
/** User, capabilities and limits of a container; they come before those of the pod. */
export interface SecurityContext {
  /** Capabilities to add and to drop. */
  capabilities?: Capabilities;
  /** Give it nearly all that root of the node has. */
  privileged?: boolean;
  /** The SELinux label. */
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  /** The user that processes run as. A whole number. */
  runAsUser?: number;
  /** The primary group of the processes. A whole number. */
  runAsGroup?: number;
  /** Refuse to start when the user is 0. */
  runAsNonRoot?: boolean;
  /** Make the root of the files read-only. */
  readOnlyRootFilesystem?: boolean;
  /** Whether a process may gain more than its parent has. */
  allowPrivilegeEscalation?: boolean;
  /** How /proc is masked. */
  procMount?: ProcMountType;
  /** Which system calls are allowed. */
  seccompProfile?: SeccompProfile;
  /** The AppArmor profile. */
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
/** The kind RangeAllocation. API version `v1`. */
export interface RangeAllocation extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  range: string;
  /** Bytes, in base64. */
  data: string;
}
export interface Sysctl {
  name: string;
  value: string;
}
export interface PortStatus {
  /** A whole number. */
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
  /** Each value once; merged. */
  containers?: string[];
  /** Each value: a quantity: `500m`, `1Gi`. */
  resources: Record<string, string>;
}
/** Keeps pods running that each have a lasting name and storage. API version `apps/v1`. */
export interface StatefulSet extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: StatefulSetSpec;
  /** What was last seen of it. Written by the system. */
  status?: StatefulSetStatus;
}
export interface StatefulSetUpdateStrategy {
  type?: StatefulSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
}
export interface RollingUpdateStatefulSetStrategy {
  /** A whole number. */
  partition?: number;
  /** A number, or a text such as `25%` or the name of a port. */
  maxUnavailable?: number | string;
}
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}
export interface StatefulSetOrdinals {
  /** A whole number. */
  start?: number;
}
/** What a stateful set should run. */
export interface StatefulSetSpec {
  /** How many pods are wanted; 1 unless said otherwise. A whole number. */
  replicas?: number;
  /** Which pods belong to it. Must match the labels of the template. */
  selector: LabelSelector;
  /** What its pods look like. */
  template: PodTemplateSpec;
  /** Claims made for each pod. Replaced as a whole. */
  volumeClaimTemplates?: PersistentVolumeClaim[];
  /** The service that names the pods. */
  serviceName?: string;
  /** OrderedReady or Parallel. */
  podManagementPolicy?: PodManagementPolicyType;
  /** How pods are replaced. */
  updateStrategy?: StatefulSetUpdateStrategy;
  /** A whole number. */
  revisionHistoryLimit?: number;
  /** A whole number. */
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
}
export interface StatefulSetStatus {
  /** A whole number. */
  observedGeneration?: number;
  /** A whole number. */
  replicas: number;
  /** A whole number. */
  readyReplicas?: number;
  /** A whole number. */
  currentReplicas?: number;
  /** A whole number. */
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  /** A whole number. */
  collisionCount?: number;
  /** Items are merged by `type`. */
  conditions?: StatefulSetCondition[];
  /** A whole number. */
  availableReplicas?: number;
}
export interface StatefulSetCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** The kind StatefulSetList. API version `apps/v1`. */
export interface StatefulSetList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: StatefulSet[];
}
/** Keeps a number of equal pods running and replaces them step by step. API version `apps/v1`. */
export interface Deployment extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: DeploymentSpec;
  /** What was last seen of it. Written by the system. */
  status?: DeploymentStatus;
}
/** What a deployment should run. */
export interface DeploymentSpec {
  /** How many pods are wanted; 1 unless said otherwise. A whole number. */
  replicas?: number;
  /** Which pods belong to it. Must match the labels of the template. */
  selector: LabelSelector;
  /** What its pods look like. */
  template: PodTemplateSpec;
  /** How old pods are replaced by new ones. */
  strategy?: DeploymentStrategy;
  /** Seconds a pod must be ready to count as available. A whole number. */
  minReadySeconds?: number;
  /** How many old replica sets are kept. A whole number. */
  revisionHistoryLimit?: number;
  /** Hold changes back. */
  paused?: boolean;
  /** Seconds without progress after which it counts as failed. A whole number. */
  progressDeadlineSeconds?: number;
}
export interface DeploymentStrategy {
  type?: DeploymentStrategyType;
  rollingUpdate?: RollingUpdateDeployment;
}
export interface RollingUpdateDeployment {
  /** A number, or a text such as `25%` or the name of a port. */
  maxUnavailable?: number | string;
  /** A number, or a text such as `25%` or the name of a port. */
  maxSurge?: number | string;
}
export interface DeploymentStatus {
  /** A whole number. */
  observedGeneration?: number;
  /** A whole number. */
  replicas?: number;
  /** A whole number. */
  updatedReplicas?: number;
  /** A whole number. */
  readyReplicas?: number;
  /** A whole number. */
  availableReplicas?: number;
  /** A whole number. */
  unavailableReplicas?: number;
  /** A whole number. */
  terminatingReplicas?: number;
  /** Items are merged by `type`. */
  conditions?: DeploymentCondition[];
  /** A whole number. */
  collisionCount?: number;
}
export interface DeploymentCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastUpdateTime?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** The kind DeploymentList. API version `apps/v1`. */
export interface DeploymentList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Deployment[];
}
export interface DaemonSetUpdateStrategy {
  type?: DaemonSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateDaemonSet;
}
export interface RollingUpdateDaemonSet {
  /** A number, or a text such as `25%` or the name of a port. */
  maxUnavailable?: number | string;
  /** A number, or a text such as `25%` or the name of a port. */
  maxSurge?: number | string;
}
/** What a daemon set should run. */
export interface DaemonSetSpec {
  /** Which pods belong to it. Must match the labels of the template. */
  selector: LabelSelector;
  /** What its pods look like. */
  template: PodTemplateSpec;
  /** How pods are replaced. */
  updateStrategy?: DaemonSetUpdateStrategy;
  /** Seconds a pod must be ready to count as available. A whole number. */
  minReadySeconds?: number;
  /** A whole number. */
  revisionHistoryLimit?: number;
}
export interface DaemonSetStatus {
  /** A whole number. */
  currentNumberScheduled: number;
  /** A whole number. */
  numberMisscheduled: number;
  /** A whole number. */
  desiredNumberScheduled: number;
  /** A whole number. */
  numberReady: number;
  /** A whole number. */
  observedGeneration?: number;
  /** A whole number. */
  updatedNumberScheduled?: number;
  /** A whole number. */
  numberAvailable?: number;
  /** A whole number. */
  numberUnavailable?: number;
  /** A whole number. */
  collisionCount?: number;
  /** Items are merged by `type`. */
  conditions?: DaemonSetCondition[];
}
export interface DaemonSetCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** Runs one pod on every node that matches. API version `apps/v1`. */
export interface DaemonSet extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: DaemonSetSpec;
  /** What was last seen of it. Written by the system. */
  status?: DaemonSetStatus;
}
/** The kind DaemonSetList. API version `apps/v1`. */
export interface DaemonSetList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: DaemonSet[];
}
/** Keeps a number of equal pods running. API version `apps/v1`. */
export interface ReplicaSet extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ReplicaSetSpec;
  /** What was last seen of it. Written by the system. */
  status?: ReplicaSetStatus;
}
/** The kind ReplicaSetList. API version `apps/v1`. */
export interface ReplicaSetList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ReplicaSet[];
}
/** What a replica set should run. */
export interface ReplicaSetSpec {
  /** How many pods are wanted; 1 unless said otherwise. A whole number. */
  replicas?: number;
  /** Seconds a pod must be ready to count as available. A whole number. */
  minReadySeconds?: number;
  /** Which pods belong to it. Must match the labels of the template. */
  selector: LabelSelector;
  /** What its pods look like. */
  template?: PodTemplateSpec;
}
export interface ReplicaSetStatus {
  /** A whole number. */
  replicas: number;
  /** A whole number. */
  fullyLabeledReplicas?: number;
  /** A whole number. */
  readyReplicas?: number;
  /** A whole number. */
  availableReplicas?: number;
  /** A whole number. */
  terminatingReplicas?: number;
  /** A whole number. */
  observedGeneration?: number;
  /** Items are merged by `type`. */
  conditions?: ReplicaSetCondition[];
}
export interface ReplicaSetCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** What a stateful set or a daemon set looked like at some time. API version `apps/v1`. */
export interface ControllerRevision extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  data?: JsonObject;
  /** A whole number. */
  revision: number;
}
/** The kind ControllerRevisionList. API version `apps/v1`. */
export interface ControllerRevisionList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ControllerRevision[];
}
/** Runs pods until enough of them succeeded. API version `batch/v1`. */
export interface Job extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: JobSpec;
  /** What was last seen of it. Written by the system. */
  status?: JobStatus;
}
/** The kind JobList. API version `batch/v1`. */
export interface JobList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Job[];
}
export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string;
  operator: PodFailurePolicyOnExitCodesOperator;
  /** Each: a whole number. Each value once; merged. */
  values: number[];
}
export interface PodFailurePolicyOnPodConditionsPattern {
  type: string;
  status?: string;
}
export interface PodFailurePolicyRule {
  action: PodFailurePolicyAction;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  /** Replaced as a whole. */
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
}
export interface PodFailurePolicy {
  /** Replaced as a whole. */
  rules: PodFailurePolicyRule[];
}
export interface SuccessPolicy {
  /** Replaced as a whole. */
  rules: SuccessPolicyRule[];
}
export interface SuccessPolicyRule {
  succeededIndexes?: string;
  /** A whole number. */
  succeededCount?: number;
}
/** What a job should run. */
export interface JobSpec {
  /** How many pods at once. A whole number. */
  parallelism?: number;
  /** How many must succeed. A whole number. */
  completions?: number;
  /** Seconds the job may take. A whole number. */
  activeDeadlineSeconds?: number;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  /** How many failures are put up with; 6 unless said otherwise. A whole number. */
  backoffLimit?: number;
  /** A whole number. */
  backoffLimitPerIndex?: number;
  /** A whole number. */
  maxFailedIndexes?: number;
  selector?: LabelSelector;
  manualSelector?: boolean;
  /** What its pods look like. */
  template: PodTemplateSpec;
  /** Seconds after its end until it is removed. A whole number. */
  ttlSecondsAfterFinished?: number;
  completionMode?: CompletionMode;
  /** Hold the job. */
  suspend?: boolean;
  podReplacementPolicy?: PodReplacementPolicy;
  managedBy?: string;
}
export interface JobStatus {
  /** Items are merged by `type`. */
  conditions?: JobCondition[];
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  startTime?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  completionTime?: string;
  /** A whole number. */
  active?: number;
  /** A whole number. */
  succeeded?: number;
  /** A whole number. */
  failed?: number;
  /** A whole number. */
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  /** A whole number. */
  ready?: number;
}
export interface UncountedTerminatedPods {
  /** Each value once; merged. */
  succeeded?: string[];
  /** Each value once; merged. */
  failed?: string[];
}
export interface JobCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastProbeTime?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface JobTemplateSpec {
  metadata?: ObjectMeta;
  spec?: JobSpec;
}
/** Makes jobs at set times. API version `batch/v1`. */
export interface CronJob extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: CronJobSpec;
  /** What was last seen of it. Written by the system. */
  status?: CronJobStatus;
}
/** The kind CronJobList. API version `batch/v1`. */
export interface CronJobList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: CronJob[];
}
/** When and what. */
export interface CronJobSpec {
  /** Five cron fields: minute, hour, day, month, weekday. */
  schedule: string;
  /** The zone of the schedule. */
  timeZone?: string;
  /** A whole number. */
  startingDeadlineSeconds?: number;
  /** Allow, Forbid or Replace, when the last job still runs. */
  concurrencyPolicy?: ConcurrencyPolicy;
  /** Make no new jobs. */
  suspend?: boolean;
  /** What its jobs look like. */
  jobTemplate: JobTemplateSpec;
  /** A whole number. */
  successfulJobsHistoryLimit?: number;
  /** A whole number. */
  failedJobsHistoryLimit?: number;
}
export interface CronJobStatus {
  /** Replaced as a whole. */
  active?: ObjectReference[];
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastScheduleTime?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastSuccessfulTime?: string;
}
/** Verbs on resources, or on paths. */
export interface PolicyRule {
  /** What may be done; * is all. Replaced as a whole. */
  verbs: string[];
  /** The groups; the empty one is core. Replaced as a whole. */
  apiGroups?: string[];
  /** The resources; * is all. Replaced as a whole. */
  resources?: string[];
  /** Only objects of these names. Replaced as a whole. */
  resourceNames?: string[];
  /** Paths outside of the API. Replaced as a whole. */
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
/** What may be done in a namespace. API version `rbac.authorization.k8s.io/v1`. */
export interface Role extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is allowed. Replaced as a whole. */
  rules?: PolicyRule[];
}
/** Gives a role to users in a namespace. API version `rbac.authorization.k8s.io/v1`. */
export interface RoleBinding extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** Who. Replaced as a whole. */
  subjects?: Subject[];
  /** Which role. */
  roleRef: RoleRef;
}
/** The kind RoleBindingList. API version `rbac.authorization.k8s.io/v1`. */
export interface RoleBindingList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: RoleBinding[];
}
/** The kind RoleList. API version `rbac.authorization.k8s.io/v1`. */
export interface RoleList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Role[];
}
/** What may be done in the whole cluster. API version `rbac.authorization.k8s.io/v1`. */
export interface ClusterRole extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is allowed. Replaced as a whole. */
  rules?: PolicyRule[];
  aggregationRule?: AggregationRule;
}
export interface AggregationRule {
  /** Replaced as a whole. */
  clusterRoleSelectors?: LabelSelector[];
}
/** Gives a cluster role to users everywhere. API version `rbac.authorization.k8s.io/v1`. */
export interface ClusterRoleBinding extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** Who. Replaced as a whole. */
  subjects?: Subject[];
  /** Which role. */
  roleRef: RoleRef;
}
/** The kind ClusterRoleBindingList. API version `rbac.authorization.k8s.io/v1`. */
export interface ClusterRoleBindingList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ClusterRoleBinding[];
}
/** The kind ClusterRoleList. API version `rbac.authorization.k8s.io/v1`. */
export interface ClusterRoleList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ClusterRole[];
}
/** Says who holds something, and until when. API version `coordination.k8s.io/v1`. */
export interface Lease extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: LeaseSpec;
}
/** Who holds it. */
export interface LeaseSpec {
  /** The holder. */
  holderIdentity?: string;
  /** How long without renewal it stays held. A whole number. */
  leaseDurationSeconds?: number;
  /** When it was taken. A time with microseconds, RFC 3339: `2026-01-02T15:04:05.000000Z`. */
  acquireTime?: string;
  /** When it was last renewed. A time with microseconds, RFC 3339: `2026-01-02T15:04:05.000000Z`. */
  renewTime?: string;
  /** How often it changed hands. A whole number. */
  leaseTransitions?: number;
  strategy?: string;
  preferredHolder?: string;
}
/** The kind LeaseList. API version `coordination.k8s.io/v1`. */
export interface LeaseList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Lease[];
}
/** The kind TokenReview. API version `authentication.k8s.io/v1`. */
export interface TokenReview extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: TokenReviewSpec;
  /** What was last seen of it. Written by the system. */
  status?: TokenReviewStatus;
}
export interface TokenReviewSpec {
  token: string;
  /** Replaced as a whole. */
  audiences?: string[];
}
export interface TokenReviewStatus {
  authenticated?: boolean;
  user?: UserInfo;
  /** Replaced as a whole. */
  audiences?: string[];
  error?: string;
}
export interface UserInfo {
  username?: string;
  uid?: string;
  /** Replaced as a whole. */
  groups?: string[];
  extra?: Record<string, string[]>;
}
/** The kind TokenRequest. API version `authentication.k8s.io/v1`. */
export interface TokenRequest extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: TokenRequestSpec;
  /** What was last seen of it. Written by the system. */
  status?: TokenRequestStatus;
}
export interface TokenRequestSpec {
  /** Replaced as a whole. */
  audiences?: string[];
  /** A whole number. */
  expirationSeconds?: number;
  boundObjectRef?: BoundObjectReference;
}
export interface TokenRequestStatus {
  token?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  expirationTimestamp?: string;
}
export interface BoundObjectReference {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
}
/** The kind SelfSubjectReview. API version `authentication.k8s.io/v1`. */
export interface SelfSubjectReview extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What was last seen of it. Written by the system. */
  status?: SelfSubjectReviewStatus;
}
export interface SelfSubjectReviewStatus {
  userInfo?: UserInfo;
}
/** The kind SubjectAccessReview. API version `authorization.k8s.io/v1`. */
export interface SubjectAccessReview extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: SubjectAccessReviewSpec;
  /** What was last seen of it. Written by the system. */
  status?: SubjectAccessReviewStatus;
}
/** The kind SelfSubjectAccessReview. API version `authorization.k8s.io/v1`. */
export interface SelfSubjectAccessReview extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: SelfSubjectAccessReviewSpec;
  /** What was last seen of it. Written by the system. */
  status?: SubjectAccessReviewStatus;
}
/** The kind LocalSubjectAccessReview. API version `authorization.k8s.io/v1`. */
export interface LocalSubjectAccessReview extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: SubjectAccessReviewSpec;
  /** What was last seen of it. Written by the system. */
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
  /** Replaced as a whole. */
  requirements?: LabelSelectorRequirement[];
}
export interface FieldSelectorAttributes {
  rawSelector?: string;
  /** Replaced as a whole. */
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
  /** Replaced as a whole. */
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
/** The kind SelfSubjectRulesReview. API version `authorization.k8s.io/v1`. */
export interface SelfSubjectRulesReview extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: SelfSubjectRulesReviewSpec;
  /** What was last seen of it. Written by the system. */
  status?: SubjectRulesReviewStatus;
}
export interface SelfSubjectRulesReviewSpec {
  namespace?: string;
}
export interface SubjectRulesReviewStatus {
  /** Replaced as a whole. */
  resourceRules: ResourceRule[];
  /** Replaced as a whole. */
  nonResourceRules: NonResourceRule[];
  incomplete: boolean;
  evaluationError?: string;
}
export interface ResourceRule {
  /** Replaced as a whole. */
  verbs: string[];
  /** Replaced as a whole. */
  apiGroups?: string[];
  /** Replaced as a whole. */
  resources?: string[];
  /** Replaced as a whole. */
  resourceNames?: string[];
}
export interface NonResourceRule {
  /** Replaced as a whole. */
  verbs: string[];
  /** Replaced as a whole. */
  nonResourceURLs?: string[];
}
export interface PodDisruptionBudgetSpec {
  /** A number, or a text such as `25%` or the name of a port. */
  minAvailable?: number | string;
  selector?: LabelSelector;
  /** A number, or a text such as `25%` or the name of a port. */
  maxUnavailable?: number | string;
  unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
}
export interface PodDisruptionBudgetStatus {
  /** A whole number. */
  observedGeneration?: number;
  /** Each value: a time, RFC 3339: `2026-01-02T15:04:05Z`. */
  disruptedPods?: Record<string, string>;
  /** A whole number. */
  disruptionsAllowed?: number;
  /** A whole number. */
  currentHealthy?: number;
  /** A whole number. */
  desiredHealthy?: number;
  /** A whole number. */
  expectedPods?: number;
  /** Items are merged by `type`. */
  conditions?: Condition[];
}
/** Says how many pods may be taken away at once on purpose. API version `policy/v1`. */
export interface PodDisruptionBudget extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: PodDisruptionBudgetSpec;
  /** What was last seen of it. Written by the system. */
  status?: PodDisruptionBudgetStatus;
}
/** The kind PodDisruptionBudgetList. API version `policy/v1`. */
export interface PodDisruptionBudgetList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PodDisruptionBudget[];
}
/** The kind Eviction. API version `policy/v1`. */
export interface Eviction extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  deleteOptions?: DeleteOptions;
}
/** A kind of storage that can be asked for. API version `storage.k8s.io/v1`. */
export interface StorageClass extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  provisioner: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: PersistentVolumeReclaimPolicy;
  /** Replaced as a whole. */
  mountOptions?: string[];
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: VolumeBindingMode;
  /** Replaced as a whole. */
  allowedTopologies?: TopologySelectorTerm[];
}
/** The kind StorageClassList. API version `storage.k8s.io/v1`. */
export interface StorageClassList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: StorageClass[];
}
/** The kind VolumeAttachment. API version `storage.k8s.io/v1`. */
export interface VolumeAttachment extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: VolumeAttachmentSpec;
  /** What was last seen of it. Written by the system. */
  status?: VolumeAttachmentStatus;
}
/** The kind VolumeAttachmentList. API version `storage.k8s.io/v1`. */
export interface VolumeAttachmentList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
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
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  time?: string;
  message?: string;
  /** A whole number. */
  errorCode?: number;
}
/** The kind CSIDriver. API version `storage.k8s.io/v1`. */
export interface CSIDriver extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: CSIDriverSpec;
}
/** The kind CSIDriverList. API version `storage.k8s.io/v1`. */
export interface CSIDriverList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: CSIDriver[];
}
export interface CSIDriverSpec {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  /** Each value once; merged. */
  volumeLifecycleModes?: string[];
  storageCapacity?: boolean;
  fsGroupPolicy?: string;
  /** Replaced as a whole. */
  tokenRequests?: StorageV1TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  /** A whole number. */
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  preventPodSchedulingIfMissing?: boolean;
}
export interface StorageV1TokenRequest {
  audience: string;
  /** A whole number. */
  expirationSeconds?: number;
}
/** The kind CSINode. API version `storage.k8s.io/v1`. */
export interface CSINode extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: CSINodeSpec;
}
export interface CSINodeSpec {
  /** Items are merged by `name`. */
  drivers: CSINodeDriver[];
}
export interface CSINodeDriver {
  name: string;
  nodeID: string;
  /** Replaced as a whole. */
  topologyKeys?: string[];
  allocatable?: VolumeNodeResources;
}
export interface VolumeNodeResources {
  /** A whole number. */
  count?: number;
}
/** The kind CSINodeList. API version `storage.k8s.io/v1`. */
export interface CSINodeList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: CSINode[];
}
/** How much storage of a class there is for nodes of a topology. API version `storage.k8s.io/v1`. */
export interface CSIStorageCapacity extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  nodeTopology?: LabelSelector;
  storageClassName: string;
  /** A quantity: `500m`, `1Gi`. */
  capacity?: string;
  /** A quantity: `500m`, `1Gi`. */
  maximumVolumeSize?: string;
}
/** The kind CSIStorageCapacityList. API version `storage.k8s.io/v1`. */
export interface CSIStorageCapacityList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: CSIStorageCapacity[];
}
/** Attributes of volumes that can be changed while they are in use. API version `storage.k8s.io/v1`. */
export interface VolumeAttributesClass extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** The CSI driver that knows the parameters. */
  driverName: string;
  parameters?: Record<string, string>;
}
/** The kind VolumeAttributesClassList. API version `storage.k8s.io/v1`. */
export interface VolumeAttributesClassList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: VolumeAttributesClass[];
}
/** A way to run pods. API version `node.k8s.io/v1`. */
export interface RuntimeClass extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** The handler of the container runtime. */
  handler: string;
  overhead?: Overhead;
  scheduling?: Scheduling;
}
export interface Overhead {
  /** Each value: a quantity: `500m`, `1Gi`. */
  podFixed?: Record<string, string>;
}
export interface Scheduling {
  /** Replaced as a whole. */
  nodeSelector?: Record<string, string>;
  /** Replaced as a whole. */
  tolerations?: Toleration[];
}
/** The kind RuntimeClassList. API version `node.k8s.io/v1`. */
export interface RuntimeClassList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: RuntimeClass[];
}
/** How important pods are. API version `scheduling.k8s.io/v1`. */
export interface PriorityClass extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** The higher, the more. A whole number. */
  value?: number;
  /** Used where pods name no class. */
  globalDefault?: boolean;
  description?: string;
  preemptionPolicy?: PreemptionPolicy;
}
/** The kind PriorityClassList. API version `scheduling.k8s.io/v1`. */
export interface PriorityClassList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PriorityClass[];
}
/** Says which connections pods may have. API version `networking.k8s.io/v1`. */
export interface NetworkPolicy extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: NetworkPolicySpec;
}
export interface NetworkPolicySpec {
  podSelector?: LabelSelector;
  /** Replaced as a whole. */
  ingress?: NetworkPolicyIngressRule[];
  /** Replaced as a whole. */
  egress?: NetworkPolicyEgressRule[];
  /** Replaced as a whole. */
  policyTypes?: PolicyType[];
}
export interface NetworkPolicyIngressRule {
  /** Replaced as a whole. */
  ports?: NetworkPolicyPort[];
  /** Replaced as a whole. */
  from?: NetworkPolicyPeer[];
}
export interface NetworkPolicyEgressRule {
  /** Replaced as a whole. */
  ports?: NetworkPolicyPort[];
  /** Replaced as a whole. */
  to?: NetworkPolicyPeer[];
}
export interface NetworkPolicyPort {
  protocol?: Protocol;
  /** A number, or a text such as `25%` or the name of a port. */
  port?: number | string;
  /** A whole number. */
  endPort?: number;
}
export interface IPBlock {
  cidr: string;
  /** Replaced as a whole. */
  except?: string[];
}
export interface NetworkPolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: IPBlock;
}
/** The kind NetworkPolicyList. API version `networking.k8s.io/v1`. */
export interface NetworkPolicyList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: NetworkPolicy[];
}
/** Leads HTTP from outside to services. API version `networking.k8s.io/v1`. */
export interface Ingress extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: IngressSpec;
  /** What was last seen of it. Written by the system. */
  status?: IngressStatus;
}
/** The kind IngressList. API version `networking.k8s.io/v1`. */
export interface IngressList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: Ingress[];
}
export interface IngressSpec {
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  /** Replaced as a whole. */
  tls?: IngressTLS[];
  /** Replaced as a whole. */
  rules?: IngressRule[];
}
export interface IngressTLS {
  /** Replaced as a whole. */
  hosts?: string[];
  secretName?: string;
}
export interface IngressStatus {
  loadBalancer?: IngressLoadBalancerStatus;
}
export interface IngressLoadBalancerStatus {
  /** Replaced as a whole. */
  ingress?: IngressLoadBalancerIngress[];
}
export interface IngressLoadBalancerIngress {
  ip?: string;
  hostname?: string;
  /** Replaced as a whole. */
  ports?: IngressPortStatus[];
}
export interface IngressPortStatus {
  /** A whole number. */
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
  /** Replaced as a whole. */
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
  /** A whole number. */
  number?: number;
}
/** The kind IngressClass. API version `networking.k8s.io/v1`. */
export interface IngressClass extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
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
/** The kind IngressClassList. API version `networking.k8s.io/v1`. */
export interface IngressClassList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: IngressClass[];
}
/** The kind IPAddress. API version `networking.k8s.io/v1`. */
export interface IPAddress extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
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
/** The kind IPAddressList. API version `networking.k8s.io/v1`. */
export interface IPAddressList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: IPAddress[];
}
/** The kind ServiceCIDR. API version `networking.k8s.io/v1`. */
export interface ServiceCIDR extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ServiceCIDRSpec;
  /** What was last seen of it. Written by the system. */
  status?: ServiceCIDRStatus;
}
export interface ServiceCIDRSpec {
  /** Replaced as a whole. */
  cidrs?: string[];
}
export interface ServiceCIDRStatus {
  /** Items are merged by `type`. */
  conditions?: Condition[];
}
/** The kind ServiceCIDRList. API version `networking.k8s.io/v1`. */
export interface ServiceCIDRList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ServiceCIDR[];
}
/** The kind CertificateSigningRequest. API version `certificates.k8s.io/v1`. */
export interface CertificateSigningRequest extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: CertificateSigningRequestSpec;
  /** What was last seen of it. Written by the system. */
  status?: CertificateSigningRequestStatus;
}
export interface CertificateSigningRequestSpec {
  /** Bytes, in base64. */
  request: string;
  signerName: string;
  /** A whole number. */
  expirationSeconds?: number;
  /** Replaced as a whole. */
  usages?: KeyUsage[];
  username?: string;
  uid?: string;
  /** Replaced as a whole. */
  groups?: string[];
  extra?: Record<string, string[]>;
}
export interface CertificateSigningRequestStatus {
  /** Items are merged by `type`. */
  conditions?: CertificateSigningRequestCondition[];
  /** Bytes, in base64. */
  certificate?: string;
}
export interface CertificateSigningRequestCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastUpdateTime?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
}
/** The kind CertificateSigningRequestList. API version `certificates.k8s.io/v1`. */
export interface CertificateSigningRequestList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: CertificateSigningRequest[];
}
/** A part of the addresses behind a service. API version `discovery.k8s.io/v1`. */
export interface EndpointSlice extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** IPv4, IPv6 or FQDN. */
  addressType: AddressType;
  /** The addresses. Replaced as a whole. */
  endpoints?: Endpoint[];
  /** The ports of each. Replaced as a whole. */
  ports?: DiscoveryV1EndpointPort[];
}
export interface Endpoint {
  /** Each value once; merged. */
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
  /** Replaced as a whole. */
  forZones?: ForZone[];
  /** Replaced as a whole. */
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
  /** A whole number. */
  port?: number;
  appProtocol?: string;
}
/** The kind EndpointSliceList. API version `discovery.k8s.io/v1`. */
export interface EndpointSliceList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: EndpointSlice[];
}
/** The kind Event. API version `events.k8s.io/v1`. */
export interface EventsV1Event extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** A time with microseconds, RFC 3339: `2026-01-02T15:04:05.000000Z`. */
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
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  deprecatedFirstTimestamp?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  deprecatedLastTimestamp?: string;
  /** A whole number. */
  deprecatedCount?: number;
}
export interface EventsV1EventSeries {
  /** A whole number. */
  count: number;
  /** A time with microseconds, RFC 3339: `2026-01-02T15:04:05.000000Z`. */
  lastObservedTime: string;
}
/** The kind EventList. API version `events.k8s.io/v1`. */
export interface EventsV1EventList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: EventsV1Event[];
}
export interface Rule {
  /** Replaced as a whole. */
  apiGroups?: string[];
  /** Replaced as a whole. */
  apiVersions?: string[];
  /** Replaced as a whole. */
  resources?: string[];
  scope?: ScopeType;
}
/** The kind ValidatingAdmissionPolicy. API version `admissionregistration.k8s.io/v1`. */
export interface ValidatingAdmissionPolicy extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ValidatingAdmissionPolicySpec;
  /** What was last seen of it. Written by the system. */
  status?: ValidatingAdmissionPolicyStatus;
}
export interface ValidatingAdmissionPolicyStatus {
  /** A whole number. */
  observedGeneration?: number;
  typeChecking?: TypeChecking;
  /** Items are merged by `type`. */
  conditions?: Condition[];
}
export interface TypeChecking {
  /** Replaced as a whole. */
  expressionWarnings?: ExpressionWarning[];
}
export interface ExpressionWarning {
  fieldRef: string;
  warning: string;
}
/** The kind ValidatingAdmissionPolicyList. API version `admissionregistration.k8s.io/v1`. */
export interface ValidatingAdmissionPolicyList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ValidatingAdmissionPolicy[];
}
export interface ValidatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  /** Replaced as a whole. */
  validations?: Validation[];
  failurePolicy?: FailurePolicyType;
  /** Replaced as a whole. */
  auditAnnotations?: AuditAnnotation[];
  /** Items are merged by `name`. */
  matchConditions?: MatchCondition[];
  /** Items are merged by `name`. */
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
/** The kind ValidatingAdmissionPolicyBinding. API version `admissionregistration.k8s.io/v1`. */
export interface ValidatingAdmissionPolicyBinding extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ValidatingAdmissionPolicyBindingSpec;
}
/** The kind ValidatingAdmissionPolicyBindingList. API version `admissionregistration.k8s.io/v1`. */
export interface ValidatingAdmissionPolicyBindingList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ValidatingAdmissionPolicyBinding[];
}
export interface ValidatingAdmissionPolicyBindingSpec {
  policyName: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  /** Each value once; merged. */
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
  /** Replaced as a whole. */
  resourceRules?: NamedRuleWithOperations[];
  /** Replaced as a whole. */
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: MatchPolicyType;
}
export interface NamedRuleWithOperations extends RuleWithOperations {
  /** Replaced as a whole. */
  resourceNames?: string[];
}
/** The kind ValidatingWebhookConfiguration. API version `admissionregistration.k8s.io/v1`. */
export interface ValidatingWebhookConfiguration extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** Items are merged by `name`. */
  webhooks?: ValidatingWebhook[];
}
/** The kind ValidatingWebhookConfigurationList. API version `admissionregistration.k8s.io/v1`. */
export interface ValidatingWebhookConfigurationList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ValidatingWebhookConfiguration[];
}
/** The kind MutatingWebhookConfiguration. API version `admissionregistration.k8s.io/v1`. */
export interface MutatingWebhookConfiguration extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** Items are merged by `name`. */
  webhooks?: MutatingWebhook[];
}
/** The kind MutatingWebhookConfigurationList. API version `admissionregistration.k8s.io/v1`. */
export interface MutatingWebhookConfigurationList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: MutatingWebhookConfiguration[];
}
export interface ValidatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  /** Replaced as a whole. */
  rules?: RuleWithOperations[];
  failurePolicy?: FailurePolicyType;
  matchPolicy?: MatchPolicyType;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: SideEffectClass;
  /** A whole number. */
  timeoutSeconds?: number;
  /** Replaced as a whole. */
  admissionReviewVersions: string[];
  /** Items are merged by `name`. */
  matchConditions?: MatchCondition[];
}
export interface MutatingWebhook {
  name: string;
  clientConfig: WebhookClientConfig;
  /** Replaced as a whole. */
  rules?: RuleWithOperations[];
  failurePolicy?: FailurePolicyType;
  matchPolicy?: MatchPolicyType;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: SideEffectClass;
  /** A whole number. */
  timeoutSeconds?: number;
  /** Replaced as a whole. */
  admissionReviewVersions: string[];
  reinvocationPolicy?: ReinvocationPolicyType;
  /** Items are merged by `name`. */
  matchConditions?: MatchCondition[];
}
/** The kind MutatingAdmissionPolicy. API version `admissionregistration.k8s.io/v1`. */
export interface MutatingAdmissionPolicy extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: MutatingAdmissionPolicySpec;
}
/** The kind MutatingAdmissionPolicyList. API version `admissionregistration.k8s.io/v1`. */
export interface MutatingAdmissionPolicyList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: MutatingAdmissionPolicy[];
}
export interface MutatingAdmissionPolicySpec {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  /** Replaced as a whole. */
  variables?: Variable[];
  /** Replaced as a whole. */
  mutations?: Mutation[];
  failurePolicy?: FailurePolicyType;
  /** Items are merged by `name`. */
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
/** The kind MutatingAdmissionPolicyBinding. API version `admissionregistration.k8s.io/v1`. */
export interface MutatingAdmissionPolicyBinding extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: MutatingAdmissionPolicyBindingSpec;
}
/** The kind MutatingAdmissionPolicyBindingList. API version `admissionregistration.k8s.io/v1`. */
export interface MutatingAdmissionPolicyBindingList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: MutatingAdmissionPolicyBinding[];
}
export interface MutatingAdmissionPolicyBindingSpec {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
}
export interface RuleWithOperations extends Rule {
  /** Replaced as a whole. */
  operations?: OperationType[];
}
export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  /** Bytes, in base64. */
  caBundle?: string;
}
export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  /** A whole number. */
  port?: number;
}
export interface MatchCondition {
  name: string;
  expression: string;
}
/** The kind AdmissionReview. API version `admission.k8s.io/v1`. */
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
  /** Bytes, in base64. */
  patch?: string;
  patchType?: string;
  auditAnnotations?: Record<string, string>;
  /** Replaced as a whole. */
  warnings?: string[];
}
/** Says which requests belong to which level of priority, and which of them are one flow. API version `flowcontrol.apiserver.k8s.io/v1`. */
export interface FlowSchema extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: FlowSchemaSpec;
  /** What was last seen of it. Written by the system. */
  status?: FlowSchemaStatus;
}
/** The kind FlowSchemaList. API version `flowcontrol.apiserver.k8s.io/v1`. */
export interface FlowSchemaList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: FlowSchema[];
}
export interface FlowSchemaSpec {
  /** The level that matching requests are served at. */
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /** Of the schemas that match a request the one with the lowest number has it: 1 to 10000. A whole number. */
  matchingPrecedence?: number;
  /** What makes a flow: ByUser or ByNamespace. Absent: all requests of the schema are one. */
  distinguisherMethod?: FlowDistinguisherMethod;
  /** Requests that any of these matches. Replaced as a whole. */
  rules?: PolicyRulesWithSubjects[];
}
export interface FlowDistinguisherMethod {
  type: string;
}
export interface PriorityLevelConfigurationReference {
  name: string;
}
export interface PolicyRulesWithSubjects {
  /** Replaced as a whole. */
  subjects: FlowcontrolV1Subject[];
  /** Replaced as a whole. */
  resourceRules?: ResourcePolicyRule[];
  /** Replaced as a whole. */
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
  /** Each value once; merged. */
  verbs: string[];
  /** Each value once; merged. */
  apiGroups: string[];
  /** Each value once; merged. */
  resources: string[];
  clusterScope?: boolean;
  /** Each value once; merged. */
  namespaces?: string[];
}
export interface NonResourcePolicyRule {
  /** Each value once; merged. */
  verbs: string[];
  /** Each value once; merged. */
  nonResourceURLs: string[];
}
export interface FlowSchemaStatus {
  /** Items are merged by `type`. */
  conditions?: FlowSchemaCondition[];
}
export interface FlowSchemaCondition {
  type?: string;
  status?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** A level of priority: how many of its requests are served at once, or wait. API version `flowcontrol.apiserver.k8s.io/v1`. */
export interface PriorityLevelConfiguration extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: PriorityLevelConfigurationSpec;
  /** What was last seen of it. Written by the system. */
  status?: PriorityLevelConfigurationStatus;
}
/** The kind PriorityLevelConfigurationList. API version `flowcontrol.apiserver.k8s.io/v1`. */
export interface PriorityLevelConfigurationList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PriorityLevelConfiguration[];
}
export interface PriorityLevelConfigurationSpec {
  /** Limited; or Exempt, which is for the level of that name. */
  type: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
}
export interface LimitedPriorityLevelConfiguration {
  /** Its part of the places, beside the shares of all levels. A whole number. */
  nominalConcurrencyShares?: number;
  /** What becomes of requests that have no place at once. */
  limitResponse?: LimitResponse;
  /** How much of its part other levels may use while it does not. A whole number. */
  lendablePercent?: number;
  /** How much of its part it may use of others beside it. Absent: whatever is lent. A whole number. */
  borrowingLimitPercent?: number;
}
export interface ExemptPriorityLevelConfiguration {
  /** A whole number. */
  nominalConcurrencyShares?: number;
  /** A whole number. */
  lendablePercent?: number;
}
export interface LimitResponse {
  type: string;
  queuing?: QueuingConfiguration;
}
export interface QueuingConfiguration {
  /** Times `queueLengthLimit` as many requests wait at most. A whole number. */
  queues?: number;
  /** Times `queueLengthLimit` as many requests of one flow wait at most. A whole number. */
  handSize?: number;
  /** A whole number. */
  queueLengthLimit?: number;
}
export interface PriorityLevelConfigurationStatus {
  /** Items are merged by `type`. */
  conditions?: PriorityLevelConfigurationCondition[];
}
export interface PriorityLevelConfigurationCondition {
  type?: string;
  status?: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
/** Devices that a driver has on a node. API version `resource.k8s.io/v1`. */
export interface ResourceSlice extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ResourceSliceSpec;
}
export interface ResourceSliceSpec {
  driver: string;
  pool: ResourcePool;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  /** Replaced as a whole. */
  devices?: Device[];
  perDeviceNodeSelection?: boolean;
  /** Replaced as a whole. */
  sharedCounters?: CounterSet[];
}
export interface CounterSet {
  name: string;
  counters: Record<string, Counter>;
}
export interface ResourcePool {
  name: string;
  /** A whole number. */
  generation: number;
  /** A whole number. */
  resourceSliceCount: number;
}
export interface Device {
  name: string;
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  /** Replaced as a whole. */
  consumesCounters?: DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  /** Replaced as a whole. */
  taints?: DeviceTaint[];
  bindsToNode?: boolean;
  /** Replaced as a whole. */
  bindingConditions?: string[];
  /** Replaced as a whole. */
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
}
export interface NodeAllocatableResourceMapping {
  capacityKey?: string;
  /** A quantity: `500m`, `1Gi`. */
  allocationMultiplier?: string;
}
export interface DeviceCounterConsumption {
  counterSet: string;
  counters: Record<string, Counter>;
}
export interface DeviceCapacity {
  /** A quantity: `500m`, `1Gi`. */
  value: string;
  requestPolicy?: CapacityRequestPolicy;
}
export interface Counter {
  /** A quantity: `500m`, `1Gi`. */
  value: string;
}
export interface CapacityRequestPolicy {
  /** A quantity: `500m`, `1Gi`. */
  default?: string;
  /** Each: a quantity: `500m`, `1Gi`. Replaced as a whole. */
  validValues?: string[];
  validRange?: CapacityRequestPolicyRange;
}
export interface CapacityRequestPolicyRange {
  /** A quantity: `500m`, `1Gi`. */
  min: string;
  /** A quantity: `500m`, `1Gi`. */
  max?: string;
  /** A quantity: `500m`, `1Gi`. */
  step?: string;
}
export interface DeviceAttribute {
  /** A whole number. */
  int?: number;
  bool?: boolean;
  string?: string;
  version?: string;
  /** Each: a whole number. Replaced as a whole. */
  ints?: number[];
  /** Replaced as a whole. */
  bools?: boolean[];
  /** Replaced as a whole. */
  strings?: string[];
  /** Replaced as a whole. */
  versions?: string[];
}
export interface DeviceTaint {
  key: string;
  value?: string;
  effect: DeviceTaintEffect;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  timeAdded?: string;
}
/** The kind ResourceSliceList. API version `resource.k8s.io/v1`. */
export interface ResourceSliceList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ResourceSlice[];
}
/** The kind ResourceClaim. API version `resource.k8s.io/v1`. */
export interface ResourceV1ResourceClaim extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ResourceClaimSpec;
  /** What was last seen of it. Written by the system. */
  status?: ResourceClaimStatus;
}
export interface ResourceClaimSpec {
  devices?: DeviceClaim;
}
export interface DeviceClaim {
  /** Replaced as a whole. */
  requests?: DeviceRequest[];
  /** Replaced as a whole. */
  constraints?: DeviceConstraint[];
  /** Replaced as a whole. */
  config?: DeviceClaimConfiguration[];
}
export interface DeviceRequest {
  name: string;
  exactly?: ExactDeviceRequest;
  /** Replaced as a whole. */
  firstAvailable?: DeviceSubRequest[];
}
export interface ExactDeviceRequest {
  deviceClassName: string;
  /** Replaced as a whole. */
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  /** A whole number. */
  count?: number;
  adminAccess?: boolean;
  /** Replaced as a whole. */
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
}
export interface DeviceSubRequest {
  name: string;
  deviceClassName: string;
  /** Replaced as a whole. */
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  /** A whole number. */
  count?: number;
  /** Replaced as a whole. */
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
}
export interface CapacityRequirements {
  /** Each value: a quantity: `500m`, `1Gi`. */
  requests?: Record<string, string>;
}
export interface DeviceSelector {
  cel?: CELDeviceSelector;
}
export interface CELDeviceSelector {
  expression: string;
}
export interface DeviceConstraint {
  /** Replaced as a whole. */
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
}
export interface DeviceClaimConfiguration extends DeviceConfiguration {
  /** Replaced as a whole. */
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
  /** Default `"Equal"`. */
  operator?: DeviceTolerationOperator;
  value?: string;
  effect?: DeviceTaintEffect;
  /** A whole number. */
  tolerationSeconds?: number;
}
export interface ResourceClaimStatus {
  allocation?: AllocationResult;
  /** Items are merged by `uid`. */
  reservedFor?: ResourceClaimConsumerReference[];
  /** Items are merged by `driver` and `device` and `pool` and `shareID`. */
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
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  allocationTimestamp?: string;
}
export interface DeviceAllocationResult {
  /** Replaced as a whole. */
  results?: DeviceRequestAllocationResult[];
  /** Replaced as a whole. */
  config?: DeviceAllocationConfiguration[];
}
export interface DeviceRequestAllocationResult {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  /** Replaced as a whole. */
  tolerations?: DeviceToleration[];
  /** Replaced as a whole. */
  bindingConditions?: string[];
  /** Replaced as a whole. */
  bindingFailureConditions?: string[];
  shareID?: string;
  /** Each value: a quantity: `500m`, `1Gi`. */
  consumedCapacity?: Record<string, string>;
}
export interface DeviceAllocationConfiguration extends DeviceConfiguration {
  source: AllocationConfigSource;
  /** Replaced as a whole. */
  requests?: string[];
}
/** The kind ResourceClaimList. API version `resource.k8s.io/v1`. */
export interface ResourceClaimList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ResourceV1ResourceClaim[];
}
/** Which devices a claim can ask for by one name. API version `resource.k8s.io/v1`. */
export interface DeviceClass extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: DeviceClassSpec;
}
export interface DeviceClassSpec {
  /** Replaced as a whole. */
  selectors?: DeviceSelector[];
  /** Replaced as a whole. */
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
}
export interface DeviceClassConfiguration extends DeviceConfiguration {
}
/** The kind DeviceClassList. API version `resource.k8s.io/v1`. */
export interface DeviceClassList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: DeviceClass[];
}
/** The kind ResourceClaimTemplate. API version `resource.k8s.io/v1`. */
export interface ResourceClaimTemplate extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ResourceClaimTemplateSpec;
}
export interface ResourceClaimTemplateSpec {
  metadata?: ObjectMeta;
  spec: ResourceClaimSpec;
}
/** The kind ResourceClaimTemplateList. API version `resource.k8s.io/v1`. */
export interface ResourceClaimTemplateList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: ResourceClaimTemplate[];
}
export interface AllocatedDeviceStatus {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  /** Items are merged by `type`. */
  conditions?: Condition[];
  data?: JsonObject;
  networkData?: NetworkDeviceData;
}
export interface NetworkDeviceData {
  interfaceName?: string;
  /** Replaced as a whole. */
  ips?: string[];
  hardwareAddress?: string;
}
/** Changes the number of replicas by measured load. API version `autoscaling/v2`. */
export interface HorizontalPodAutoscaler extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: HorizontalPodAutoscalerSpec;
  /** What was last seen of it. Written by the system. */
  status?: HorizontalPodAutoscalerStatus;
}
export interface HorizontalPodAutoscalerSpec {
  scaleTargetRef: CrossVersionObjectReference;
  /** A whole number. */
  minReplicas?: number;
  /** A whole number. */
  maxReplicas: number;
  /** Replaced as a whole. */
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
  /** A whole number. */
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  /** Replaced as a whole. */
  policies?: HPAScalingPolicy[];
  /** A quantity: `500m`, `1Gi`. */
  tolerance?: string;
}
export interface HPAScalingPolicy {
  type: string;
  /** A whole number. */
  value: number;
  /** A whole number. */
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
  /** A quantity: `500m`, `1Gi`. */
  value?: string;
  /** A quantity: `500m`, `1Gi`. */
  averageValue?: string;
  /** A whole number. */
  averageUtilization?: number;
}
export interface HorizontalPodAutoscalerStatus {
  /** A whole number. */
  observedGeneration?: number;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastScaleTime?: string;
  /** A whole number. */
  currentReplicas?: number;
  /** A whole number. */
  desiredReplicas: number;
  /** Replaced as a whole. */
  currentMetrics?: MetricStatus[];
  /** Items are merged by `type`. */
  conditions?: HorizontalPodAutoscalerCondition[];
}
export interface HorizontalPodAutoscalerCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
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
  /** A quantity: `500m`, `1Gi`. */
  value?: string;
  /** A quantity: `500m`, `1Gi`. */
  averageValue?: string;
  /** A whole number. */
  averageUtilization?: number;
}
/** The kind HorizontalPodAutoscalerList. API version `autoscaling/v2`. */
export interface HorizontalPodAutoscalerList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: HorizontalPodAutoscaler[];
}
export interface AutoscalingV1CrossVersionObjectReference {
  kind: string;
  name: string;
  apiVersion?: string;
}
export interface AutoscalingV1HorizontalPodAutoscalerSpec {
  scaleTargetRef: AutoscalingV1CrossVersionObjectReference;
  /** A whole number. */
  minReplicas?: number;
  /** A whole number. */
  maxReplicas: number;
  /** A whole number. */
  targetCPUUtilizationPercentage?: number;
}
export interface AutoscalingV1HorizontalPodAutoscalerStatus {
  /** A whole number. */
  observedGeneration?: number;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastScaleTime?: string;
  /** A whole number. */
  currentReplicas: number;
  /** A whole number. */
  desiredReplicas: number;
  /** A whole number. */
  currentCPUUtilizationPercentage?: number;
}
/** The kind HorizontalPodAutoscaler. API version `autoscaling/v1`. */
export interface AutoscalingV1HorizontalPodAutoscaler extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: AutoscalingV1HorizontalPodAutoscalerSpec;
  /** What was last seen of it. Written by the system. */
  status?: AutoscalingV1HorizontalPodAutoscalerStatus;
}
/** The kind HorizontalPodAutoscalerList. API version `autoscaling/v1`. */
export interface AutoscalingV1HorizontalPodAutoscalerList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: AutoscalingV1HorizontalPodAutoscaler[];
}
/** How many replicas something should have, and has. API version `autoscaling/v1`. */
export interface Scale extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: ScaleSpec;
  /** What was last seen of it. Written by the system. */
  status?: ScaleStatus;
}
export interface ScaleSpec {
  /** How many there should be. A whole number. Default `0`. */
  replicas?: number;
}
export interface ScaleStatus {
  /** How many there are. A whole number. */
  replicas: number;
  /** Selects them, as a query. */
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
  /** A quantity: `500m`, `1Gi`. */
  targetValue: string;
  selector?: LabelSelector;
  /** A quantity: `500m`, `1Gi`. */
  averageValue?: string;
}
export interface AutoscalingV1PodsMetricSource {
  metricName: string;
  /** A quantity: `500m`, `1Gi`. */
  targetAverageValue: string;
  selector?: LabelSelector;
}
export interface AutoscalingV1ResourceMetricSource {
  name: string;
  /** A whole number. */
  targetAverageUtilization?: number;
  /** A quantity: `500m`, `1Gi`. */
  targetAverageValue?: string;
}
export interface AutoscalingV1ContainerResourceMetricSource {
  name: string;
  /** A whole number. */
  targetAverageUtilization?: number;
  /** A quantity: `500m`, `1Gi`. */
  targetAverageValue?: string;
  container: string;
}
export interface AutoscalingV1ExternalMetricSource {
  metricName: string;
  metricSelector?: LabelSelector;
  /** A quantity: `500m`, `1Gi`. */
  targetValue?: string;
  /** A quantity: `500m`, `1Gi`. */
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
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface AutoscalingV1ObjectMetricStatus {
  target: AutoscalingV1CrossVersionObjectReference;
  metricName: string;
  /** A quantity: `500m`, `1Gi`. */
  currentValue: string;
  selector?: LabelSelector;
  /** A quantity: `500m`, `1Gi`. */
  averageValue?: string;
}
export interface AutoscalingV1PodsMetricStatus {
  metricName: string;
  /** A quantity: `500m`, `1Gi`. */
  currentAverageValue: string;
  selector?: LabelSelector;
}
export interface AutoscalingV1ResourceMetricStatus {
  name: string;
  /** A whole number. */
  currentAverageUtilization?: number;
  /** A quantity: `500m`, `1Gi`. */
  currentAverageValue: string;
}
export interface AutoscalingV1ContainerResourceMetricStatus {
  name: string;
  /** A whole number. */
  currentAverageUtilization?: number;
  /** A quantity: `500m`, `1Gi`. */
  currentAverageValue: string;
  container: string;
}
export interface AutoscalingV1ExternalMetricStatus {
  metricName: string;
  metricSelector?: LabelSelector;
  /** A quantity: `500m`, `1Gi`. */
  currentValue: string;
  /** A quantity: `500m`, `1Gi`. */
  currentAverageValue?: string;
}
/** The kind APIServiceList. API version `apiregistration.k8s.io/v1`. */
export interface APIServiceList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: APIService[];
}
export interface ApiregistrationV1ServiceReference {
  namespace?: string;
  name?: string;
  /** A whole number. */
  port?: number;
}
export interface APIServiceSpec {
  /** Where the other server is. Absent: this server answers. */
  service?: ApiregistrationV1ServiceReference;
  group?: string;
  version?: string;
  /** Its certificate is not looked at. */
  insecureSkipTLSVerify?: boolean;
  /** Authorities in PEM that its certificate must be of. Absent: those of the machine. Bytes, in base64. Replaced as a whole. */
  caBundle?: string;
  /** Where the group stands among others: 1 to 20000. A whole number. */
  groupPriorityMinimum: number;
  /** Where the version stands in its group: 1 to 1000. A whole number. */
  versionPriority: number;
}
export interface APIServiceCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}
export interface APIServiceStatus {
  /** Available says whether it answers. Items are merged by `type`. */
  conditions?: APIServiceCondition[];
}
/** A version of a group: answered here, or by another server that is asked in the cluster. API version `apiregistration.k8s.io/v1`. */
export interface APIService extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: APIServiceSpec;
  /** What was last seen of it. Written by the system. */
  status?: APIServiceStatus;
}
export interface CustomResourceDefinitionSpec {
  /** The API group, a domain of its own. */
  group: string;
  /** What the resource and its kind are called. */
  names: CustomResourceDefinitionNames;
  /** Namespaced or Cluster. */
  scope: string;
  /** The versions, each with its schema; one of them is the form that objects are stored in. Replaced as a whole. */
  versions: CustomResourceDefinitionVersion[];
  /** How objects of one version become those of another: None changes their apiVersion alone, Webhook has another server do it. */
  conversion?: CustomResourceConversion;
  /** False: fields that no schema names are not stored. */
  preserveUnknownFields?: boolean;
}
export interface CustomResourceConversion {
  strategy: string;
  webhook?: WebhookConversion;
}
export interface WebhookConversion {
  clientConfig?: ApiextensionsV1WebhookClientConfig;
  /** Replaced as a whole. */
  conversionReviewVersions: string[];
}
export interface ApiextensionsV1WebhookClientConfig {
  url?: string;
  service?: ApiextensionsV1ServiceReference;
  /** Bytes, in base64. */
  caBundle?: string;
}
export interface ApiextensionsV1ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  /** A whole number. */
  port?: number;
}
export interface CustomResourceDefinitionVersion {
  /** v1, v1beta1, … */
  name: string;
  /** Whether clients can use it. */
  served: boolean;
  /** Whether objects are stored in it. */
  storage: boolean;
  /** Whether its users are told that it goes away. */
  deprecated?: boolean;
  /** What they are told. */
  deprecationWarning?: string;
  /** What its objects look like. */
  schema?: CustomResourceValidation;
  /** Whether it has a status and a scale of its own. */
  subresources?: CustomResourceSubresources;
  /** What kubectl get shows beside the name. Replaced as a whole. */
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  /** What field selectors may name. Replaced as a whole. */
  selectableFields?: SelectableField[];
}
export interface SelectableField {
  jsonPath: string;
}
export interface CustomResourceColumnDefinition {
  name: string;
  type: string;
  format?: string;
  description?: string;
  /** A whole number. */
  priority?: number;
  jsonPath: string;
}
export interface CustomResourceDefinitionNames {
  plural: string;
  singular?: string;
  /** Replaced as a whole. */
  shortNames?: string[];
  kind: string;
  listKind?: string;
  /** Replaced as a whole. */
  categories?: string[];
}
export interface CustomResourceDefinitionCondition {
  type: string;
  status: string;
  /** A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
  /** A whole number. */
  observedGeneration?: number;
}
export interface CustomResourceDefinitionStatus {
  /** Items are merged by `type`. */
  conditions?: CustomResourceDefinitionCondition[];
  acceptedNames?: CustomResourceDefinitionNames;
  /** Replaced as a whole. */
  storedVersions?: string[];
  /** A whole number. */
  observedGeneration?: number;
}
/** A kind that this server serves beside its own. API version `apiextensions.k8s.io/v1`. */
export interface CustomResourceDefinition extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** What is wanted. */
  spec: CustomResourceDefinitionSpec;
  /** What was last seen of it. Written by the system. */
  status?: CustomResourceDefinitionStatus;
}
/** The kind CustomResourceDefinitionList. API version `apiextensions.k8s.io/v1`. */
export interface CustomResourceDefinitionList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: CustomResourceDefinition[];
}
export interface CustomResourceValidation {
  openAPIV3Schema?: JSONSchemaProps;
}
export interface CustomResourceSubresources {
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
}
export type CustomResourceSubresourceStatus = Record<string, never>;
export interface CustomResourceSubresourceScale {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}
/** The kind ConversionReview. API version `apiextensions.k8s.io/v1`. */
export interface ConversionReview extends TypeMeta {
  request?: ConversionRequest;
  response?: ConversionResponse;
}
export interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  /** Replaced as a whole. */
  objects: JsonObject[];
}
export interface ConversionResponse {
  uid: string;
  /** Replaced as a whole. */
  convertedObjects: JsonObject[];
  result: Status;
}
export interface JSONSchemaProps {
  id?: string;
  '$schema'?: string;
  '$ref'?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: JsonValue;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  /** A whole number. */
  maxLength?: number;
  /** A whole number. */
  minLength?: number;
  pattern?: string;
  /** A whole number. */
  maxItems?: number;
  /** A whole number. */
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  /** Replaced as a whole. */
  enum?: JsonValue[];
  /** A whole number. */
  maxProperties?: number;
  /** A whole number. */
  minProperties?: number;
  /** Replaced as a whole. */
  required?: string[];
  items?: JSONSchemaPropsOrArray;
  /** Replaced as a whole. */
  allOf?: JSONSchemaProps[];
  /** Replaced as a whole. */
  oneOf?: JSONSchemaProps[];
  /** Replaced as a whole. */
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaPropsOrBool;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>;
  additionalItems?: JSONSchemaPropsOrBool;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: JsonValue;
  nullable?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  /** Replaced as a whole. */
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-map-type'?: string;
  /** Items are merged by `rule`. */
  'x-kubernetes-validations'?: ValidationRule[];
}
export interface ValidationRule {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: FieldValueErrorReason;
  fieldPath?: string;
  optionalOldSelf?: boolean;
}
export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[];
export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean;
export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[];
export interface ExternalDocumentation {
  description?: string;
  url?: string;
}
/** What a node takes of its processors and memory. API version `metrics.k8s.io/v1beta1`. */
export interface NodeMetrics extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** End of the time that was measured. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  timestamp: string;
  /** Length of the time that was measured. A duration: `1m30s`. */
  window: string;
  /** Processors on average over that time, memory at its end. Each value: a quantity: `500m`, `1Gi`. */
  usage: Record<string, string>;
}
/** The kind NodeMetricsList. API version `metrics.k8s.io/v1beta1`. */
export interface NodeMetricsList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: NodeMetrics[];
}
/** What the containers of a pod take of processors and memory. API version `metrics.k8s.io/v1beta1`. */
export interface PodMetrics extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ObjectMeta;
  /** End of the time that was measured. A time, RFC 3339: `2026-01-02T15:04:05Z`. */
  timestamp: string;
  /** Length of the time that was measured. A duration: `1m30s`. */
  window: string;
  /** What each container takes. Replaced as a whole. */
  containers: ContainerMetrics[];
}
/** The kind PodMetricsList. API version `metrics.k8s.io/v1beta1`. */
export interface PodMetricsList extends TypeMeta {
  /** Name, namespace, labels and whatever else every object has. */
  metadata: ListMeta;
  /** The objects of the list. */
  items: PodMetrics[];
}
/** What one container takes. */
export interface ContainerMetrics {
  /** The name that the pod gives it. */
  name: string;
  /** Processors on average over the time that was measured, memory at its end. Each value: a quantity: `500m`, `1Gi`. */
  usage: Record<string, string>;
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
export type FieldValueErrorReason = 'FieldValueRequired' | 'FieldValueDuplicate' | 'FieldValueInvalid' | 'FieldValueForbidden';
