/** By which fields objects name other objects (kustomize api/internal/konfig/builtinpluginconsts/namereference.go). */

import { type FieldSpec, fieldSpec, type NameReference } from '../model/field-spec.ts';
import type { Gvk } from '../model/gvk.ts';

/** Where each kind holds a pod. */
const podHolders: readonly (readonly [pod: string, kind: Partial<FieldSpec>])[] = [
  ['spec', { version: 'v1', kind: 'Pod' }],
  ['template/spec', { kind: 'PodTemplate' }],
  ['spec/template/spec', { kind: 'Deployment' }],
  ['spec/template/spec', { kind: 'ReplicaSet' }],
  ['spec/template/spec', { kind: 'DaemonSet' }],
  ['spec/template/spec', { kind: 'StatefulSet' }],
  ['spec/template/spec', { kind: 'Job' }],
  ['spec/jobTemplate/spec/template/spec', { kind: 'CronJob' }],
];

/** The same for what stands in pods of fewer kinds. */
const someHolders: readonly (readonly [pod: string, kind: Partial<FieldSpec>])[] = [
  ['spec', { kind: 'Pod' }],
  ...['StatefulSet', 'Deployment', 'ReplicationController', 'Job', 'DaemonSet'].map(
    (kind) => ['spec/template/spec', { kind }] as const,
  ),
  ['spec/jobTemplate/spec/template/spec', { kind: 'CronJob' }],
];

const inPods = (holders: typeof podHolders, paths: readonly string[]): FieldSpec[] =>
  holders.flatMap(([pod, kind]) => paths.map((path) => fieldSpec(`${pod}/${path}`, kind)));

const inContainers = (paths: readonly string[]) =>
  ['containers', 'initContainers'].flatMap((list) => paths.map((path) => `${list}/${path}`));

const of = (kind: string, paths: readonly string[], group = ''): FieldSpec[] =>
  paths.map((path) => fieldSpec(path, { kind, group }));

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';

const reference = (target: Partial<Gvk>, fieldSpecs: FieldSpec[]): NameReference => ({
  ...{ group: '', version: '', kind: '' },
  ...target,
  fieldSpecs,
});

const ingressAnnotation = (name: string) => `metadata/annotations/${name.replaceAll('/', '\\/')}`;

const toConfigMaps = (): FieldSpec[] => [
  ...inPods(podHolders, [
    'volumes/configMap/name',
    'volumes/projected/sources/configMap/name',
    ...inContainers(['env/valueFrom/configMapKeyRef/name', 'envFrom/configMapRef/name']),
  ]),
  ...of('Node', ['spec/configSource/configMap']),
  ...of('Role', ['rules/resourceNames']),
  ...of('ClusterRole', ['rules/resourceNames']),
  ...of('Ingress', [ingressAnnotation('nginx.ingress.kubernetes.io/fastcgi-params-configmap')]),
];

const toSecrets = (): FieldSpec[] => [
  ...inPods(podHolders, [
    'volumes/secret/secretName',
    'volumes/projected/sources/secret/name',
    'imagePullSecrets/name',
    ...inContainers(['env/valueFrom/secretKeyRef/name', 'envFrom/secretRef/name']),
  ]),
  ...of('Ingress', [
    'spec/tls/secretName',
    ingressAnnotation('ingress.kubernetes.io/auth-secret'),
    ingressAnnotation('nginx.ingress.kubernetes.io/auth-secret'),
    ingressAnnotation('nginx.ingress.kubernetes.io/auth-tls-secret'),
  ]),
  ...of('ServiceAccount', ['imagePullSecrets/name']),
  ...of('StorageClass', [
    ...['parameters/secretName', 'parameters/adminSecretName', 'parameters/userSecretName'],
    'parameters/secretRef',
  ]),
  ...of('Role', ['rules/resourceNames']),
  ...of('ClusterRole', ['rules/resourceNames']),
  fieldSpec('spec/template/spec/containers/env/valueFrom/secretKeyRef/name', {
    ...{ group: 'serving.knative.dev', version: 'v1', kind: 'Service' },
  }),
  ...of('PersistentVolume', ['spec/azureFile/secretName']),
];

const toServices = (): FieldSpec[] => [
  ...of('StatefulSet', ['spec/serviceName'], 'apps'),
  ...of('Ingress', [
    ...['spec/rules/http/paths/backend/serviceName', 'spec/backend/serviceName'],
    ...['spec/rules/http/paths/backend/service/name', 'spec/defaultBackend/service/name'],
  ]),
  ...of('APIService', ['spec/service/name'], 'apiregistration.k8s.io'),
  ...of('ValidatingWebhookConfiguration', ['webhooks/clientConfig/service'], admission),
  ...of('MutatingWebhookConfiguration', ['webhooks/clientConfig/service'], admission),
];

const storageClassUsers = (): FieldSpec[] => [
  ...of('PersistentVolume', ['spec/storageClassName']),
  ...of('PersistentVolumeClaim', ['spec/storageClassName']),
  ...of('StatefulSet', ['spec/volumeClaimTemplates/spec/storageClassName']),
];

export const standardReferences = (): NameReference[] => [
  ...['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) =>
    reference({ kind }, of('HorizontalPodAutoscaler', ['spec/scaleTargetRef/name'])),
  ),
  reference({ version: 'v1', kind: 'ConfigMap' }, toConfigMaps()),
  reference({ version: 'v1', kind: 'Secret' }, toSecrets()),
  reference({ version: 'v1', kind: 'Service' }, toServices()),
  reference({ group: rbac, kind: 'Role' }, of('RoleBinding', ['roleRef/name'], rbac)),
  reference({ group: rbac, kind: 'ClusterRole' }, [
    ...of('RoleBinding', ['roleRef/name'], rbac),
    ...of('ClusterRoleBinding', ['roleRef/name'], rbac),
  ]),
  reference({ version: 'v1', kind: 'ServiceAccount' }, [
    ...of('RoleBinding', ['subjects'], rbac),
    ...of('ClusterRoleBinding', ['subjects'], rbac),
    ...inPods(someHolders, ['serviceAccountName']),
  ]),
  reference(
    { version: 'v1', kind: 'PersistentVolumeClaim' },
    inPods(someHolders, ['volumes/persistentVolumeClaim/claimName']),
  ),
  reference({ version: 'v1', kind: 'PersistentVolume' }, [
    ...of('PersistentVolumeClaim', ['spec/volumeName']),
    ...of('ClusterRole', ['rules/resourceNames']),
  ]),
  reference({ group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' }, storageClassUsers()),
  reference(
    { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' },
    inPods(someHolders, ['priorityClassName']),
  ),
  // The group is upstream's slip: no IngressClass is of it, so that its references stay.
  reference(
    { group: 'networking.k8s.io/v1', version: 'v1', kind: 'IngressClass' },
    of('Ingress', ['spec/ingressClassName']),
  ),
  reference(
    { group: admission, kind: 'ValidatingAdmissionPolicy' },
    of('ValidatingAdmissionPolicyBinding', ['spec/policyName'], admission),
  ),
];
