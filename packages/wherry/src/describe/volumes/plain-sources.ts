import type { PlainSource } from './source-text.ts';

/** Sources of pods' volumes and of persistent ones that are told in one way, field by field, in kubectl's words. */
export const plainSources = new Map<string, PlainSource>([
  [
    'hostPath',
    { type: 'HostPath (bare host directory volume)', labels: { Path: 'path', HostPathType: 'type' } },
  ],
  [
    'gcePersistentDisk',
    {
      type: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
      labels: { PDName: 'pdName', FSType: 'fsType', Partition: 'partition', ReadOnly: 'readOnly' },
    },
  ],
  [
    'awsElasticBlockStore',
    {
      type: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
      labels: { VolumeID: 'volumeID', FSType: 'fsType', Partition: 'partition', ReadOnly: 'readOnly' },
    },
  ],
  [
    'gitRepo',
    {
      type: 'GitRepo (a volume that is pulled from git when the pod is created)',
      labels: { Repository: 'repository', Revision: 'revision' },
    },
  ],
  [
    'secret',
    {
      type: 'Secret (a volume populated by a Secret)',
      labels: { SecretName: 'secretName', Optional: 'optional' },
    },
  ],
  [
    'configMap',
    {
      type: 'ConfigMap (a volume populated by a ConfigMap)',
      labels: { Name: 'name', Optional: 'optional' },
    },
  ],
  [
    'nfs',
    {
      type: 'NFS (an NFS mount that lasts the lifetime of a pod)',
      labels: { Server: 'server', Path: 'path', ReadOnly: 'readOnly' },
    },
  ],
  [
    'iscsi',
    {
      type: "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)",
      labels: {
        ...{ TargetPortal: 'targetPortal', IQN: 'iqn', Lun: 'lun', ISCSIInterface: 'iscsiInterface' },
        ...{ FSType: 'fsType', ReadOnly: 'readOnly', Portals: 'portals' },
        ...{ DiscoveryCHAPAuth: 'chapAuthDiscovery', SessionCHAPAuth: 'chapAuthSession' },
        ...{ SecretRef: 'secretRef', InitiatorName: 'initiatorName' },
      },
    },
  ],
  [
    'persistentVolumeClaim',
    {
      type: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
      labels: { ClaimName: 'claimName', ReadOnly: 'readOnly' },
    },
  ],
  [
    'rbd',
    {
      type: "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)",
      labels: {
        ...{ CephMonitors: 'monitors', RBDImage: 'image', FSType: 'fsType', RBDPool: 'pool' },
        ...{ RadosUser: 'user', Keyring: 'keyring', SecretRef: 'secretRef', ReadOnly: 'readOnly' },
      },
    },
  ],
  [
    'quobyte',
    {
      type: "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
      labels: { Registry: 'registry', Volume: 'volume', ReadOnly: 'readOnly' },
    },
  ],
  [
    'azureDisk',
    {
      type: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
      labels: {
        ...{ DiskName: 'diskName', DiskURI: 'diskURI', Kind: 'kind', FSType: 'fsType' },
        ...{ CachingMode: 'cachingMode', ReadOnly: 'readOnly' },
      },
    },
  ],
  [
    'vsphereVolume',
    {
      type: 'vSphereVolume (a Persistent Disk resource in vSphere)',
      labels: { VolumePath: 'volumePath', FSType: 'fsType', StoragePolicyName: 'storagePolicyName' },
    },
  ],
  [
    'cinder',
    {
      type: 'Cinder (a Persistent Disk resource in OpenStack)',
      labels: { VolumeID: 'volumeID', FSType: 'fsType', ReadOnly: 'readOnly', SecretRef: 'secretRef' },
    },
  ],
  [
    'photonPersistentDisk',
    {
      type: 'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
      labels: { PdID: 'pdID', FSType: 'fsType' },
    },
  ],
  [
    'portworxVolume',
    { type: 'PortworxVolume (a Portworx Volume resource)', labels: { VolumeID: 'volumeID' } },
  ],
  [
    'cephfs',
    {
      type: "CephFS (a CephFS mount on the host that shares a pod's lifetime)",
      labels: {
        ...{ Monitors: 'monitors', Path: 'path', User: 'user', SecretFile: 'secretFile' },
        ...{ SecretRef: 'secretRef', ReadOnly: 'readOnly' },
      },
    },
  ],
  [
    'storageos',
    {
      type: 'StorageOS (a StorageOS Persistent Disk resource)',
      labels: {
        ...{ VolumeName: 'volumeName', VolumeNamespace: 'volumeNamespace' },
        ...{ FSType: 'fsType', ReadOnly: 'readOnly' },
      },
    },
  ],
  [
    'flocker',
    {
      type: 'Flocker (a Flocker volume mounted by the Flocker agent)',
      labels: { DatasetName: 'datasetName', DatasetUUID: 'datasetUUID' },
    },
  ],
  [
    'image',
    {
      type: 'Image (a container image or OCI artifact)',
      labels: { Reference: 'reference', PullPolicy: 'pullPolicy' },
    },
  ],
  [
    'local',
    {
      type: 'LocalVolume (a persistent volume backed by local storage on a node)',
      labels: { Path: 'path' },
    },
  ],
]);

const glusterfs = "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)";
const azureFile = 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)';

/** Those of pods alone. */
export const podSources = new Map<string, PlainSource>([
  [
    'glusterfs',
    { type: glusterfs, labels: { EndpointsName: 'endpoints', Path: 'path', ReadOnly: 'readOnly' } },
  ],
  [
    'azureFile',
    {
      type: azureFile,
      labels: { SecretName: 'secretName', ShareName: 'shareName', ReadOnly: 'readOnly' },
    },
  ],
]);

/** Those of persistent volumes alone. */
export const persistentSources = new Map<string, PlainSource>([
  [
    'glusterfs',
    {
      type: glusterfs,
      labels: {
        ...{ EndpointsName: 'endpoints', EndpointsNamespace: 'endpointsNamespace' },
        ...{ Path: 'path', ReadOnly: 'readOnly' },
      },
    },
  ],
  [
    'azureFile',
    {
      type: azureFile,
      labels: {
        ...{ SecretName: 'secretName', SecretNamespace: 'secretNamespace' },
        ...{ ShareName: 'shareName', ReadOnly: 'readOnly' },
      },
    },
  ],
]);
