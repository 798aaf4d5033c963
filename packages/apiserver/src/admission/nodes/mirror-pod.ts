import { type Node, notFound, type Pod, podReferences, type Volume } from '@wherry/kubeapi';
import { podAnnotations } from '@wherry/podrules';
import { isMirrorPod } from '../../authorization/mirror-pod.ts';

/** Why a kubelet may not create this pod, or undefined. Throws 404 for a kubelet without a node. Upstream: NodeRestriction's admitPodCreate. */
export function mirrorPodProblem(pod: Pod, nodeName: string, node: Node | undefined): string | undefined {
  if (!isMirrorPod(pod)) {
    return `pod does not have "${podAnnotations.mirror}" annotation, node "${nodeName}" can only create mirror pods`;
  }
  if (pod.spec?.nodeName !== nodeName) {
    return `node "${nodeName}" can only create pods with spec.nodeName set to itself`;
  }
  const problem = ownerProblem(pod, nodeName, node);
  if (problem) return problem;
  const referenced = referencedKind(pod);
  return referenced && `node "${nodeName}" can not create pods that reference ${referenced}`;
}

function ownerProblem({ metadata }: Pod, nodeName: string, node: Node | undefined): string | undefined {
  const owners = metadata?.ownerReferences ?? [];
  const can = `node "${nodeName}" can only create pods with`;
  if (owners.length > 1) return `${can} a single owner reference set to itself`;
  const [owner] = owners;
  const isSelf = owner?.apiVersion === 'v1' && owner.kind === 'Node' && owner.name === nodeName;
  if (!owner || !isSelf) return `${can} an owner reference set to itself`;
  if (!owner.controller) return `${can} a controller owner reference set to itself`;
  if (owner.blockOwnerDeletion) {
    return `node "${nodeName}" must not set blockOwnerDeletion on an owner reference`;
  }
  if (!node) throw notFound({ group: '', resource: 'node' }, nodeName);
  const uid = node.metadata?.uid ?? '';
  return owner.uid === uid ? undefined : `node ${nodeName} UID mismatch: expected ${owner.uid} got ${uid}`;
}

/** The first kind of API object that the pod would read, as the refusal calls it (upstream: HasAPIObjectReference). */
function referencedKind(pod: Pod): string | undefined {
  const { secrets, configMaps, serviceAccount } = podReferences(pod);
  if (serviceAccount !== '') return 'serviceaccounts';
  if (secrets.size > 0) return 'secrets';
  if (configMaps.size > 0) return 'configmaps';
  if (pod.spec?.resourceClaims?.length) return 'resourceclaims';
  for (const volume of pod.spec?.volumes ?? []) {
    const kind = volumeKind(volume);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Volumes that need nothing of the API. */
const plainVolumes: ReadonlySet<string> = new Set([
  ...['awsElasticBlockStore', 'azureDisk', 'cephfs', 'cinder', 'downwardAPI', 'emptyDir', 'fc', 'flexVolume'],
  ...['flocker', 'gcePersistentDisk', 'gitRepo', 'hostPath', 'image', 'iscsi', 'nfs', 'photonPersistentDisk'],
  ...['portworxVolume', 'quobyte', 'rbd', 'scaleIO', 'storageos', 'vsphereVolume'],
]);

const readingVolumes: ReadonlyMap<string, string> = new Map([
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
]);

function volumeKind(volume: Volume): string | undefined {
  const [source = ''] = Object.keys(volume).filter((key) => key !== 'name');
  if (plainVolumes.has(source)) return undefined;
  if (source !== 'projected') {
    return readingVolumes.get(source) ?? `unknown volume type ${JSON.stringify(source)} of ${volume.name}`;
  }
  for (const projection of volume.projected?.sources ?? []) {
    const [kind = ''] = Object.keys(projection);
    if (kind !== 'downwardAPI') return projectedKinds.get(kind) ?? `unknown projected source "${kind}"`;
  }
  return undefined;
}

const projectedKinds: ReadonlyMap<string, string> = new Map([
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
]);
