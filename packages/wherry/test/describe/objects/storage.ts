import { type Described, longAgo, metadata, namespaced, ofCluster } from './described.ts';

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

/** Claims, classes, and what drivers say of nodes. */
export const storage: readonly Described[] = [
  {
    object: namespaced('v1', 'PersistentVolumeClaim', 'bound', {
      metadata: { ...metadata, finalizers: ['example.com/kept'] },
      spec: { ...claimSpec, storageClassName: 'fast', volumeName: 'local', volumeMode: 'Block' },
    }),
    status: {
      ...{ phase: 'Bound', capacity: { storage: '2048Mi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] },
      conditions: [
        {
          ...{ type: 'Resizing', status: 'True', reason: 'Asked', message: 'it grows' },
          lastTransitionTime: longAgo,
        },
      ],
    },
  },
  {
    object: namespaced('v1', 'PersistentVolumeClaim', 'waiting', {
      spec: {
        ...{ ...claimSpec, storageClassName: '' },
        dataSource: { kind: 'PersistentVolumeClaim', name: 'bound' },
      },
    }),
  },
  {
    object: namespaced('v1', 'PersistentVolumeClaim', 'ending', {
      metadata: { finalizers: ['example.com/kept'] },
      spec: claimSpec,
    }),
    isDeleted: true,
  },
  {
    object: ofCluster('storage.k8s.io/v1', 'StorageClass', 'fast', {
      metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true', a: 'b' } },
      ...{ provisioner: 'example.com/fast', parameters: { type: 'ssd', iops: '3' } },
      ...{ allowVolumeExpansion: true, mountOptions: ['ro', 'sync'], reclaimPolicy: 'Retain' },
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [
        {
          matchLabelExpressions: [
            { key: 'zone', values: ['a', 'b'] },
            { key: 'rack', values: ['1'] },
          ],
        },
        { matchLabelExpressions: [{ key: 'zone', values: ['c'] }] },
      ],
    }),
  },
  { object: ofCluster('storage.k8s.io/v1', 'StorageClass', 'plain', { provisioner: 'example.com/p' }) },
  {
    object: ofCluster('storage.k8s.io/v1', 'VolumeAttributesClass', 'gold', {
      metadata: { annotations: { a: 'b' } },
      ...{ driverName: 'example.com', parameters: { iops: '3', throughput: '4' } },
    }),
  },
  {
    object: ofCluster('storage.k8s.io/v1', 'CSINode', 'n1', {
      metadata,
      spec: {
        drivers: [
          { name: 'a.example.com', nodeID: 'i', topologyKeys: ['zone', 'rack'], allocatable: { count: 3 } },
          { name: 'b.example.com', nodeID: 'j', topologyKeys: null },
        ],
      },
    }),
  },
  { object: ofCluster('storage.k8s.io/v1', 'CSINode', 'bare', { spec: { drivers: [] } }) },
  {
    object: ofCluster('storage.k8s.io/v1', 'CSIDriver', 'a.example.com', { spec: { attachRequired: true } }),
  },
];
