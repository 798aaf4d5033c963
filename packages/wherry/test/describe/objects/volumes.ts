import { type Described, metadata, ofCluster } from './described.ts';

const secretRef = { name: 'key' };
const persistentRef = { name: 'key', namespace: 'vault' };
const attributes = { b: '2', a: '1', long: 'x'.repeat(200) };

/** A volume of each type that pods may have. */
export const podVolumes = [
  { name: 'scratch', emptyDir: {} },
  { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1024Mi' } },
  { name: 'host', hostPath: { path: '/srv' } },
  { name: 'host-typed', hostPath: { path: '/srv', type: 'Directory' } },
  { name: 'secret', secret: { secretName: 'words' } },
  { name: 'secret-maybe', secret: { secretName: 'words', optional: true } },
  { name: 'map', configMap: { name: 'map' } },
  { name: 'nfs', nfs: { server: 'nfs', path: '/a', readOnly: true } },
  { name: 'block', persistentVolumeClaim: { claimName: 'bound' } },
  {
    name: 'projected',
    projected: {
      sources: [
        { secret: { name: 'words', optional: true } },
        { configMap: { name: 'map' } },
        { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
        { serviceAccountToken: { path: 't', expirationSeconds: 3600 } },
        { clusterTrustBundle: { name: 'b', path: 'c' } },
      ],
    },
  },
  {
    name: 'down',
    downwardAPI: {
      items: [
        { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
        { path: 'cpu', resourceFieldRef: { containerName: 'web', resource: 'limits.cpu' } },
      ],
    },
  },
  {
    name: 'own',
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels: { a: '1', b: '2' }, annotations: { c: '3', d: '4', long: 'y'.repeat(200) } },
        spec: {
          ...{ accessModes: ['ReadWriteOnce'], storageClassName: 'fast', volumeMode: 'Block' },
          resources: { requests: { storage: '1Gi' } },
          dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
        },
      },
    },
  },
  {
    name: 'own-plain',
    ephemeral: {
      volumeClaimTemplate: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
  },
  { name: 'csi', csi: { driver: 'd', readOnly: true, fsType: 'ext4', volumeAttributes: attributes } },
  { name: 'csi-plain', csi: { driver: 'd' } },
  { name: 'image', image: { reference: 'quay.io/a:1', pullPolicy: 'Always' } },
  { name: 'gce', gcePersistentDisk: { pdName: 'p', fsType: 'ext4', partition: 2 } },
  { name: 'aws', awsElasticBlockStore: { volumeID: 'v', readOnly: true } },
  { name: 'git', gitRepo: { repository: 'https://a', revision: 'main' } },
  {
    name: 'iscsi',
    iscsi: {
      ...{ targetPortal: '1.2.3.4:3260', iqn: 'iqn.2001-04.com.example:storage', lun: 3 },
      ...{ portals: ['1.2.3.5', '1.2.3.6'], secretRef, chapAuthSession: true },
    },
  },
  { name: 'gluster', glusterfs: { endpoints: 'e', path: 'p' } },
  { name: 'rbd', rbd: { monitors: ['a', 'b'], image: 'i', secretRef } },
  { name: 'quobyte', quobyte: { registry: 'r:1', volume: 'v' } },
  { name: 'azure-disk', azureDisk: { diskName: 'd', diskURI: 'https://blob/d.vhd' } },
  { name: 'vsphere', vsphereVolume: { volumePath: '[a] b', fsType: 'ext4', storagePolicyName: 'p' } },
  { name: 'cinder', cinder: { volumeID: 'v', secretRef } },
  { name: 'photon', photonPersistentDisk: { pdID: 'p', fsType: 'ext4' } },
  { name: 'portworx', portworxVolume: { volumeID: 'v' } },
  {
    name: 'scale',
    scaleIO: { gateway: 'https://g', system: 's', secretRef, volumeName: 'v', protectionDomain: 'd' },
  },
  { name: 'ceph', cephfs: { monitors: ['a'], path: '/p', user: 'u', secretFile: '/f' } },
  { name: 'storageos', storageos: { volumeName: 'v', volumeNamespace: 'n', fsType: 'ext4' } },
  { name: 'fibre', fc: { targetWWNs: ['a', 'b'], lun: 4, readOnly: true } },
  { name: 'azure-file', azureFile: { secretName: 's', shareName: 'n' } },
  { name: 'flex', flexVolume: { driver: 'a/b', options: { z: '1', a: '2' }, secretRef } },
  { name: 'flocker', flocker: { datasetName: 'd' } },
];

const sources: Readonly<Record<string, object>> = {
  'host-path': { hostPath: { path: '/srv', type: 'DirectoryOrCreate' } },
  gce: { gcePersistentDisk: { pdName: 'p' } },
  aws: { awsElasticBlockStore: { volumeID: 'v', partition: 1 } },
  nfs: { nfs: { server: 'nfs', path: '/a' } },
  iscsi: {
    iscsi: {
      ...{ targetPortal: '1.2.3.4:3260', iqn: 'iqn.2001-04.com.example:storage', lun: 0 },
      ...{ secretRef: persistentRef, initiatorName: 'iqn.2001-04.com.example:me', chapAuthDiscovery: true },
    },
  },
  gluster: { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: 'n' } },
  'gluster-plain': { glusterfs: { endpoints: 'e', path: 'p' } },
  rbd: { rbd: { monitors: ['a'], image: 'i', secretRef: persistentRef } },
  quobyte: { quobyte: { registry: 'r:1', volume: 'v' } },
  vsphere: { vsphereVolume: { volumePath: '[a] b' } },
  cinder: { cinder: { volumeID: 'v', secretRef: persistentRef } },
  'azure-disk': {
    azureDisk: {
      diskName: 'd',
      diskURI: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/disks/d',
      kind: 'Managed',
    },
  },
  photon: { photonPersistentDisk: { pdID: 'p' } },
  portworx: { portworxVolume: { volumeID: 'v' } },
  scale: { scaleIO: { gateway: 'https://g', system: 's', secretRef: persistentRef, volumeName: 'v' } },
  ceph: { cephfs: { monitors: ['a', 'b'], secretRef: persistentRef } },
  storageos: { storageos: { volumeName: 'v' } },
  fibre: { fc: { wwids: ['w'] } },
  'azure-file': { azureFile: { secretName: 's', shareName: 'n', secretNamespace: 'm' } },
  flex: { flexVolume: { driver: 'a/b', secretRef: persistentRef } },
  csi: { csi: { driver: 'd', volumeHandle: 'h', volumeAttributes: attributes } },
  'csi-plain': { csi: { driver: 'd', volumeHandle: 'h', fsType: 'xfs' } },
};

const spec = {
  ...{ capacity: { storage: '5120Mi' }, accessModes: ['ReadWriteMany', 'ReadWriteOnce'] },
};

/** A persistent volume of each type. */
export const persistentVolumes: readonly Described[] = [
  ...Object.entries(sources).map(([name, source]) => ({
    object: ofCluster('v1', 'PersistentVolume', name, { spec: { ...spec, ...source } }),
  })),
  {
    object: ofCluster('v1', 'PersistentVolume', 'ending', {
      metadata: { finalizers: ['example.com/kept'] },
      spec: { ...spec, hostPath: { path: '/srv' } },
    }),
    isDeleted: true,
  },
  {
    object: ofCluster('v1', 'PersistentVolume', 'local', {
      metadata: { ...metadata, finalizers: ['example.com/a', 'example.com/b'] },
      spec: {
        ...{ ...spec, local: { path: '/disk' }, storageClassName: 'fast', volumeMode: 'Block' },
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'bound' },
        persistentVolumeReclaimPolicy: 'Delete',
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: 'kubernetes.io/hostname', operator: 'In', values: ['n1', 'n2'] },
                  { key: 'disk', operator: 'Exists' },
                ],
              },
              { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] },
            ],
          },
        },
      },
    }),
    status: { phase: 'Bound', message: 'it is there' },
  },
];
