/** The fields that kustomize's transformers look at when nobody says otherwise (kustomize api/internal/konfig/builtinpluginconsts). */
import { type FieldSpec, fieldSpec, sorted } from '../model/field-spec.ts';
import { standardReferences } from './standard-references.ts';
import type { TransformerConfiguration } from './transformer-configuration.ts';

const template = 'spec/template';
const jobTemplate = 'spec/jobTemplate';

/** Where kinds hold the metadata of pods and of what else they make. */
const madeMetadata: readonly (readonly [path: string, kind: Partial<FieldSpec>])[] = [
  [template, { version: 'v1', kind: 'ReplicationController' }],
  [template, { kind: 'Deployment' }],
  [template, { kind: 'ReplicaSet' }],
  [template, { kind: 'DaemonSet' }],
  [template, { group: 'apps', kind: 'StatefulSet' }],
  [template, { group: 'batch', kind: 'Job' }],
  [jobTemplate, { group: 'batch', kind: 'CronJob' }],
  [`${jobTemplate}/${template}`, { group: 'batch', kind: 'CronJob' }],
];

const metadataLabels = (): FieldSpec[] => [
  fieldSpec('metadata/labels', { create: true }),
  ...madeMetadata.map(([path, kind]) => fieldSpec(`${path}/metadata/labels`, { ...kind, create: true })),
  fieldSpec('spec/volumeClaimTemplates[]/metadata/labels', {
    ...{ group: 'apps', kind: 'StatefulSet', create: true },
  }),
];

const podLabelSelectors = [
  ...['podAffinity', 'podAntiAffinity'].flatMap((affinity) => [
    `affinity/${affinity}/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels`,
    `affinity/${affinity}/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels`,
  ]),
  'topologySpreadConstraints/labelSelector/matchLabels',
];

const selectors = (): FieldSpec[] => [
  fieldSpec('spec/selector', { version: 'v1', kind: 'Service', create: true }),
  fieldSpec('spec/selector', { version: 'v1', kind: 'ReplicationController', create: true }),
  ...['Deployment', 'ReplicaSet', 'DaemonSet'].map((kind) =>
    fieldSpec('spec/selector/matchLabels', { kind, create: true }),
  ),
  fieldSpec('spec/selector/matchLabels', { group: 'apps', kind: 'StatefulSet', create: true }),
  ...['Deployment', 'StatefulSet'].flatMap((kind) =>
    podLabelSelectors.map((path) => fieldSpec(`${template}/spec/${path}`, { group: 'apps', kind })),
  ),
  fieldSpec('spec/selector/matchLabels', { group: 'batch', kind: 'Job' }),
  fieldSpec(`${jobTemplate}/spec/selector/matchLabels`, { group: 'batch', kind: 'CronJob' }),
  fieldSpec('spec/selector/matchLabels', { group: 'policy', kind: 'PodDisruptionBudget' }),
  ...['podSelector', 'ingress/from/podSelector', 'egress/to/podSelector'].map((path) =>
    fieldSpec(`spec/${path}/matchLabels`, { group: 'networking.k8s.io', kind: 'NetworkPolicy' }),
  ),
];

const annotations = (): FieldSpec[] => [
  fieldSpec('metadata/annotations', { create: true }),
  ...madeMetadata.map(([path, kind]) =>
    fieldSpec(`${path}/metadata/annotations`, {
      ...(kind.kind === 'StatefulSet' ? { kind: 'StatefulSet' } : kind),
      create: true,
    }),
  ),
];

/** Where variables stand in pods. */
const podTexts = ['containers', 'initContainers'].flatMap((list) =>
  ['args', 'command', 'env/value', 'volumeMounts/mountPath'].map((field) => `spec/${list}/${field}`),
);

const variables = (): FieldSpec[] => [
  ...[...podTexts, 'volumes/nfs/server'].map((path) =>
    fieldSpec(`${jobTemplate}/${template}/${path}`, { kind: 'CronJob' }),
  ),
  ...['DaemonSet', 'Deployment', 'Job', 'ReplicaSet', 'StatefulSet'].flatMap((kind) => [
    ...podTexts.map((path) => fieldSpec(`${template}/${path}`, { kind })),
    ...(kind === 'StatefulSet'
      ? [fieldSpec('spec/volumeClaimTemplates/spec/nfs/server', { kind })]
      : [fieldSpec(`${template}/spec/volumes/nfs/server`, { kind })]),
  ]),
  fieldSpec(`${template}/metadata/annotations`, { kind: 'Deployment' }),
  ...['spec/rules/host', 'spec/tls/hosts', 'spec/tls/secretName'].map((path) =>
    fieldSpec(path, { kind: 'Ingress' }),
  ),
  ...[...podTexts, 'spec/volumes/nfs/server'].map((path) => fieldSpec(path, { kind: 'Pod' })),
  ...['spec/ports/port', 'spec/ports/targetPort'].map((path) => fieldSpec(path, { kind: 'Service' })),
  fieldSpec('spec/nfs/server', { kind: 'PersistentVolume' }),
  fieldSpec('metadata/labels'),
  fieldSpec('metadata/annotations'),
];

const images = (): FieldSpec[] =>
  ['spec', `${template}/spec`].flatMap((pod) =>
    ['containers[]/image', 'initContainers[]/image', 'volumes[]/image/reference'].map((path) =>
      fieldSpec(`${pod}/${path}`, { create: true }),
    ),
  );

/** A configuration of its own for each kustomization. */
export const standardConfiguration = (): TransformerConfiguration => ({
  namePrefix: [fieldSpec('metadata/name')],
  nameSuffix: [fieldSpec('metadata/name')],
  namespace: sorted([
    fieldSpec('metadata/name', { kind: 'Namespace', create: true }),
    fieldSpec('spec/service/namespace', {
      ...{ group: 'apiregistration.k8s.io', kind: 'APIService', create: true },
    }),
    fieldSpec('spec/conversion/webhook/clientConfig/service/namespace', {
      ...{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
    }),
  ]),
  commonAnnotations: sorted(annotations()),
  commonLabels: sorted([...selectors(), ...metadataLabels()]),
  labels: [],
  templateLabels: sorted(metadataLabels()),
  varReference: sorted(variables()),
  images: images(),
  replicas: sorted(
    ['Deployment', 'ReplicationController', 'ReplicaSet', 'StatefulSet'].map((kind) =>
      fieldSpec('spec/replicas', { kind, create: true }),
    ),
  ),
  nameReference: sorted(standardReferences()),
});
