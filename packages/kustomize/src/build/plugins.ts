/** Generators and transformers that stand in files: kustomize's own kinds; others would be programs. */
import type { JsonObject } from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import { type GeneratorEntry, generate } from '../generate/generate.ts';
import {
  fieldSpecShape,
  generatorFields,
  imageShape,
  patchShape,
  replacementEntryShape,
  replicaShape,
  selectorShape,
} from '../kustomization/kustomization-shape.ts';
import { type Shape, shaped } from '../kustomization/shape.ts';
import type { FieldSpec } from '../model/field-spec.ts';
import { Resource } from '../model/resource.ts';
import type { Selector } from '../model/resource-list.ts';
import { addHashes } from '../names/hash.ts';
import {
  operationsTransform,
  type PatchEntry,
  patchTransform,
  strategicTransform,
} from '../patches/patches.ts';
import type { ReplacementEntry } from '../replacements/replacements.ts';
import { addAffix } from '../transform/affixes.ts';
import { type ImageChange, setImage } from '../transform/images.ts';
import { setPairs } from '../transform/labels.ts';
import { type SubjectMode, setNamespace, subjectModes } from '../transform/namespace.ts';
import { setReplicas } from '../transform/replicas.ts';
import { fromJson, toJson } from '../yaml/to-json.ts';
import { replacementTransform, type Step, specOf } from './transforms.ts';

/** What any of the kinds says. */
interface Said extends GeneratorEntry, Omit<PatchEntry, 'options'> {
  options?: GeneratorEntry['options'] & PatchEntry['options'];
  metadata?: { name?: string; namespace?: string };
  fieldSpecs?: Partial<FieldSpec>[];
  unsetOnly?: boolean;
  setRoleBindingSubjects?: string;
  prefix?: string;
  suffix?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  replica?: { name?: string; count?: number };
  imageTag?: ImageChange;
  replacements?: ReplacementEntry[];
  paths?: string[];
  patches?: string;
  jsonOp?: string;
  target?: Selector;
}

const pairs: Shape = { values: 'string' };

const saidShape: Shape = {
  type: 'Plugin',
  fields: {
    ...generatorFields,
    ...(patchShape as { fields: Record<string, Shape> }).fields,
    metadata: { type: 'ObjectMeta', fields: { name: 'string', namespace: 'string' } },
    ...{ type: 'string', fieldSpecs: { list: fieldSpecShape }, unsetOnly: 'bool' },
    ...{ setRoleBindingSubjects: 'string', prefix: 'string', suffix: 'string' },
    ...{ labels: pairs, annotations: pairs, replica: replicaShape, imageTag: imageShape },
    ...{ replacements: { list: replacementEntryShape }, paths: { list: 'string' }, patches: 'string' },
    ...{ jsonOp: 'string', target: selectorShape, options: 'any' },
  },
};

const makers: Readonly<Record<string, (said: Said, loader: Loader) => Step['apply']>> = {
  PatchTransformer: (said, loader) => patchTransform(said, loader),
  PatchStrategicMergeTransformer: ({ paths = [], patches }, loader) =>
    strategicTransform(paths, loader, patches),
  PatchJson6902Transformer: ({ target, path, jsonOp }, loader) =>
    operationsTransform({ target, path, patch: jsonOp } as PatchEntry, loader),
  NamespaceTransformer: (said) => namespaceTransform(said),
  PrefixTransformer: ({ prefix = '', fieldSpecs }) => affixTransform('prefix', prefix, fieldSpecs),
  SuffixTransformer: ({ suffix = '', fieldSpecs }) => affixTransform('suffix', suffix, fieldSpecs),
  PrefixSuffixTransformer: ({ prefix = '', suffix = '', fieldSpecs }) => {
    const [before, behind] = [
      affixTransform('prefix', prefix, fieldSpecs),
      affixTransform('suffix', suffix, fieldSpecs),
    ];
    return (all) => {
      before(all);
      behind(all);
    };
  },
  LabelTransformer:
    ({ labels = {}, fieldSpecs = [] }) =>
    (all) =>
      setPairs(all, labels, fieldSpecs.map(specOf)),
  AnnotationsTransformer:
    ({ annotations = {}, fieldSpecs = [] }) =>
    (all) =>
      setPairs(all, annotations, fieldSpecs.map(specOf)),
  ReplicaCountTransformer:
    ({ replica = {}, fieldSpecs = [] }) =>
    (all) =>
      setReplicas(all, replica, fieldSpecs.map(specOf)),
  ImageTagTransformer:
    ({ imageTag = {}, fieldSpecs = [] }) =>
    (all) =>
      setImage(all, imageTag, fieldSpecs.map(specOf)),
  ReplacementTransformer: ({ replacements = [] }, loader) => replacementTransform(replacements, loader),
  HashTransformer: () => addHashes,
};

function affixTransform(
  side: 'prefix' | 'suffix',
  text: string,
  fieldSpecs: Partial<FieldSpec>[] | undefined,
): Step['apply'] {
  if (!fieldSpecs) throw new KustomizeError('fieldSpecs is not expected to be nil');
  return (all) => addAffix(all, { side, text, fieldSpecs: fieldSpecs.map(specOf) });
}

function namespaceTransform({
  metadata,
  fieldSpecs = [],
  unsetOnly = false,
  setRoleBindingSubjects: mode = '',
}: Said): Step['apply'] {
  const subjects = mode === '' ? 'defaultOnly' : subjectModes.find((one) => one === mode);
  if (!subjects)
    throw new KustomizeError(
      `invalid value ${JSON.stringify(mode)} for setRoleBindingSubjects: must be one of "defaultOnly", "none" or "allServiceAccounts"`,
    );
  const options = { namespace: metadata?.namespace ?? '', fieldSpecs: fieldSpecs.map(specOf), unsetOnly };
  return (all) => setNamespace(all, { ...options, subjects: subjects as SubjectMode });
}

/** Throws KustomizeError for what is none of kustomize's own transformers, and for one that says something wrong. */
export function pluginTransform(resource: Resource, loader: Loader): Step['apply'] {
  const { kind } = resource;
  refuseForeign(resource);
  const make = Object.hasOwn(makers, kind) ? makers[kind] : undefined;
  if (!make) throw new KustomizeError(`plugin ${kind} not a transformer that is known here`);
  return make(saidBy(resource), loader);
}

/** Likewise, of generators. */
export function pluginGenerate(resource: Resource, loader: Loader): Resource {
  const { kind } = resource;
  refuseForeign(resource);
  if (kind === 'IAMPolicyGenerator') return policyAccount(resource);
  if (kind !== 'ConfigMapGenerator' && kind !== 'SecretGenerator')
    throw new KustomizeError(`plugin ${kind} not a generator that is known here`);
  const said = saidBy(resource);
  const { metadata } = said;
  const entry = {
    ...said,
    name: said.name || metadata?.name || '',
    namespace: said.namespace || metadata?.namespace || '',
  };
  return generate(kind === 'SecretGenerator' ? 'Secret' : 'ConfigMap', entry, loader);
}

const policyShape: Shape = {
  type: 'IAMPolicyGeneratorArgs',
  fields: {
    cloud: 'string',
    kubernetesService: { type: 'KubernetesService', fields: { name: 'string', namespace: 'string' } },
    serviceAccount: { type: 'ServiceAccount', fields: { name: 'string', projectId: 'string' } },
  },
};

/** The ServiceAccount that stands for an account of Google's cloud. */
function policyAccount({ node }: Resource): Resource {
  const said = shaped(toJson(node), policyShape, false) as Partial<
    Record<'kubernetesService' | 'serviceAccount', Record<string, string>>
  > & { cloud?: string };
  const { cloud = '', kubernetesService = {}, serviceAccount = {} } = said;
  if (cloud !== 'gke') throw new KustomizeError(`cloud provider ${cloud} not supported yet`);
  const { name = '', namespace = '' } = kubernetesService;
  const account = `${serviceAccount['name'] ?? ''}@${serviceAccount['projectId'] ?? ''}.iam.gserviceaccount.com`;
  const annotations = { 'iam.gke.io/gcp-service-account': account };
  const metadata = { annotations, name, ...(namespace === '' ? {} : { namespace }) };
  return new Resource(fromJson({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }));
}

function refuseForeign({ gvk }: Resource): void {
  if (gvk.group === '' && gvk.version === 'builtin') return;
  throw new KustomizeError(`external plugins disabled; unable to load external plugin '${gvk.kind}'`);
}

function saidBy(resource: Resource): Said {
  const { apiVersion: _apiVersion, kind: _kind, ...said } = toJson(resource.node) as JsonObject;
  return (shaped(said, saidShape, false) ?? {}) as Said;
}
