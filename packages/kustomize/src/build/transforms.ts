/** What a kustomization does with its objects, in kustomize's order. */

import type { TransformerConfiguration } from '../configuration/transformer-configuration.ts';
import { KustomizeError, within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import type { Kustomization, LabelEntry } from '../kustomization/kustomization.ts';
import { type FieldSpecEntry, replacementShape } from '../kustomization/kustomization-shape.ts';
import { shaped } from '../kustomization/shape.ts';
import { type FieldSpec, fieldSpec, mergeSpecs } from '../model/field-spec.ts';
import {
  operationsTransform,
  patchTransform,
  strategicTransform,
  type Transform,
} from '../patches/patches.ts';
import { applyReplacements, type Replacement, type ReplacementEntry } from '../replacements/replacements.ts';
import { addAffix } from '../transform/affixes.ts';
import { setImage } from '../transform/images.ts';
import { setPairs } from '../transform/labels.ts';
import { setNamespace } from '../transform/namespace.ts';
import { setReplicas } from '../transform/replicas.ts';
import { readJsonLike } from '../yaml/read-json.ts';

/** A step, and the kind of transformer that it is. */
export interface Step {
  kind: string;
  apply: Transform;
}

const steps = (kind: string, transforms: readonly Transform[]): Step[] =>
  transforms.map((apply) => ({ kind: `${kind}Transformer`, apply }));

/** All files are read before anything is done. Throws KustomizeError. */
export function stepsOf(
  kustomization: Kustomization,
  configuration: TransformerConfiguration,
  loader: Loader,
): Step[] {
  const { namespace = '', namePrefix = '', nameSuffix = '', commonAnnotations = {} } = kustomization;
  const { patchesStrategicMerge: merged = [], patches = [], patchesJson6902 = [] } = kustomization;
  const { replicas = [], images = [], replacements = [] } = kustomization;
  const inNamespace: Transform = (all) =>
    setNamespace(all, { namespace, fieldSpecs: configuration.namespace });
  const annotate: Transform = (all) => setPairs(all, commonAnnotations, configuration.commonAnnotations);
  const replace = replacements.length > 0 ? [replacementTransform(replacements, loader)] : [];
  return [
    ...steps('PatchStrategicMerge', merged.length > 0 ? [strategicTransform(merged, loader)] : []),
    ...steps(
      'Patch',
      patches.map((entry) => patchTransform(entry, loader)),
    ),
    ...steps('Namespace', namespace === '' ? [] : [inNamespace]),
    ...steps('Prefix', affix('prefix', namePrefix, configuration.namePrefix)),
    ...steps('Suffix', affix('suffix', nameSuffix, configuration.nameSuffix)),
    ...steps('Label', labelTransforms(kustomization, configuration)),
    ...steps('Annotations', Object.keys(commonAnnotations).length > 0 ? [annotate] : []),
    ...steps(
      'PatchJson6902',
      patchesJson6902.map((entry) => operationsTransform(entry, loader)),
    ),
    ...steps(
      'ReplicaCount',
      replicas.map((entry) => (all) => setReplicas(all, entry, configuration.replicas)),
    ),
    ...steps(
      'ImageTag',
      images.map((entry) => (all) => setImage(all, entry, configuration.images)),
    ),
    ...steps('Replacement', replace),
  ];
}

const affix = (side: 'prefix' | 'suffix', text: string, fieldSpecs: readonly FieldSpec[]): Transform[] =>
  text === '' ? [] : [(all) => addAffix(all, { side, text, fieldSpecs })];

function labelTransforms(
  { labels = [], commonLabels = {} }: Kustomization,
  configuration: TransformerConfiguration,
): Transform[] {
  if (labels.length === 0 && Object.keys(commonLabels).length === 0) return [];
  return [
    ...labels.map((entry): Transform => {
      const specs = labelFields(entry, configuration);
      return (all) => setPairs(all, entry.pairs ?? {}, specs);
    }),
    (all) => setPairs(all, commonLabels, configuration.commonLabels),
  ];
}

/** Where a set of labels goes. */
function labelFields(
  { fields = [], includeSelectors, includeTemplates }: LabelEntry,
  configuration: TransformerConfiguration,
): FieldSpec[] {
  return within('failed to merge labels', () => {
    const own = mergeSpecs(fields.map(specOf), configuration.labels);
    if (includeSelectors) return mergeSpecs(own, configuration.commonLabels);
    const inTemplates = includeTemplates
      ? within('failed to merge template fieldSpec', () => mergeSpecs(own, configuration.templateLabels))
      : own;
    return mergeSpecs(inTemplates, [fieldSpec('metadata/labels', { create: true })]);
  });
}

export const specOf = ({ path = '', ...parts }: FieldSpecEntry): FieldSpec => fieldSpec(path, parts);

/** Reads replacements, those that stand in files of their own, too. */
export function replacementTransform(entries: readonly ReplacementEntry[], loader: Loader): Transform {
  const replacements = entries.flatMap((entry): Replacement[] => {
    const { path = '', source, targets = [] } = entry;
    if (path === '') return [entry];
    if (source !== undefined || targets.length > 0)
      throw new KustomizeError('cannot specify both path and inline replacement');
    const value = readJsonLike(loader.loadText(path));
    if (typeof value !== 'object' || value === null)
      throw new KustomizeError(`unsupported replacement type encountered within replacement path: ${path}`);
    const list = Array.isArray(value) ? value : [value];
    return list.map((one) => (shaped(one, replacementShape, false) ?? {}) as Replacement);
  });
  return (all) => applyReplacements(all, replacements);
}
