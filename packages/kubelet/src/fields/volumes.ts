import type {
  ConfigMapProjection,
  ConfigMapVolumeSource,
  DownwardAPIProjection,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  HostPathVolumeSource,
  ImageVolumeSource,
  KeyToPath,
  ProjectedVolumeSource,
  SecretProjection,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from '@wherry/kubeapi';
import { actedOn, type MessageVerdicts, refused, refusedWhen, warnedWhen } from './verdict.ts';

const manager = 'kubelet/volumes/volume-manager';
const payloads = 'kubelet/volumes/volume-payloads';

const absent = refused(
  'volumes of this kind are not supported by this kubelet; it has emptyDir, hostPath, configMap, secret, projected, downwardAPI and image',
);

export const volume: MessageVerdicts<Volume> = {
  name: actedOn(manager),
  hostPath: actedOn(manager),
  emptyDir: actedOn(manager),
  gcePersistentDisk: absent,
  awsElasticBlockStore: absent,
  gitRepo: absent,
  secret: actedOn(payloads),
  nfs: absent,
  iscsi: absent,
  glusterfs: absent,
  persistentVolumeClaim: absent,
  rbd: absent,
  flexVolume: absent,
  cinder: absent,
  cephfs: absent,
  flocker: absent,
  downwardAPI: actedOn(payloads),
  fc: absent,
  azureFile: absent,
  configMap: actedOn(payloads),
  vsphereVolume: absent,
  quobyte: absent,
  azureDisk: absent,
  photonPersistentDisk: absent,
  projected: actedOn(payloads),
  portworxVolume: absent,
  scaleIO: absent,
  storageos: absent,
  csi: absent,
  ephemeral: absent,
  image: actedOn(manager),
};

export const hostPath: MessageVerdicts<HostPathVolumeSource> = {
  path: actedOn('kubelet/volumes/host-path'),
  type: actedOn('kubelet/volumes/host-path'),
};

export const emptyDir: MessageVerdicts<EmptyDirVolumeSource> = {
  medium: {
    ...actedOn('kubelet/volumes/empty-dir'),
    ...refusedWhen<string>(
      '`HugePages…`',
      (medium) => medium !== '' && medium !== 'Memory',
      'only Memory and the disk are supported by this kubelet',
    ),
  },
  sizeLimit: {
    ...actedOn('kubelet/volumes/empty-dir'),
    ...warnedWhen<string>(
      'on disk',
      (_limit, { pod }) =>
        (pod.spec.volumes ?? []).some(
          ({ emptyDir }) => emptyDir?.sizeLimit !== undefined && emptyDir.medium !== 'Memory',
        ),
      'is not enforced on disk, since this kubelet does not evict; in memory it is',
    ),
  },
};

export const secret: MessageVerdicts<SecretVolumeSource> = {
  secretName: actedOn(payloads),
  items: actedOn(payloads),
  defaultMode: actedOn(payloads),
  optional: actedOn(payloads),
};

export const configMap: MessageVerdicts<ConfigMapVolumeSource> = {
  name: actedOn(payloads),
  items: actedOn(payloads),
  defaultMode: actedOn(payloads),
  optional: actedOn(payloads),
};

export const keyToPath: MessageVerdicts<KeyToPath> = {
  key: actedOn('kubelet/volumes/payload'),
  path: actedOn('kubelet/volumes/payload'),
  mode: actedOn('kubelet/volumes/payload'),
};

export const downwardApi: MessageVerdicts<DownwardAPIVolumeSource> = {
  items: actedOn(payloads),
  defaultMode: actedOn(payloads),
};

export const downwardApiFile: MessageVerdicts<DownwardAPIVolumeFile> = {
  path: actedOn(payloads),
  fieldRef: actedOn(payloads),
  resourceFieldRef: actedOn(payloads),
  mode: actedOn(payloads),
};

export const projected: MessageVerdicts<ProjectedVolumeSource> = {
  sources: actedOn(payloads),
  defaultMode: actedOn(payloads),
};

export const volumeProjection: MessageVerdicts<VolumeProjection> = {
  secret: actedOn(payloads),
  downwardAPI: actedOn(payloads),
  configMap: actedOn(payloads),
  serviceAccountToken: actedOn(payloads),
  clusterTrustBundle: refused('trust bundles are not supported by this kubelet; use a ConfigMap'),
  podCertificate: refused('pod certificates are not supported by this kubelet; use a Secret'),
};

export const secretProjection: MessageVerdicts<SecretProjection> = {
  name: actedOn(payloads),
  items: actedOn(payloads),
  optional: actedOn(payloads),
};

export const configMapProjection: MessageVerdicts<ConfigMapProjection> = {
  name: actedOn(payloads),
  items: actedOn(payloads),
  optional: actedOn(payloads),
};

export const downwardApiProjection: MessageVerdicts<DownwardAPIProjection> = { items: actedOn(payloads) };

export const serviceAccountToken: MessageVerdicts<ServiceAccountTokenProjection> = {
  audience: actedOn(payloads),
  expirationSeconds: actedOn(payloads),
  path: actedOn(payloads),
};

export const image: MessageVerdicts<ImageVolumeSource> = {
  reference: actedOn(manager),
  pullPolicy: warnedWhen<string>(
    'all but `Never`',
    (policy) => policy !== 'Never',
    'the image of a volume is not pulled by this kubelet; it must be on the node already',
  ),
};
