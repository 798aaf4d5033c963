/** What a kustomization does with its objects, in kustomize's order. */

import type { TransformerConfiguration } from '../configuration/transformer-configuration.ts';
import { within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import type { Kustomization, LabelEntry } from '../kustomization/kustomization.ts';
import type { FieldSpecEntry } from '../kustomization/kustomization-shape.ts';
import { type FieldSpec, fieldSpec, mergeSpecs } from '../model/field-spec.ts';
import type { ResourceList } from '../model/resource-list.ts';
import { operationsTransform, patchTransform, strategicTransform } from '../patches/patches.ts';
import { addAffix } from '../transform/affixes.ts';
import { setImage } from '../transform/images.ts';
import { setPairs } from '../transform/labels.ts';
import { setNamespace } from '../transform/namespace.ts';
import { setReplicas } from '../transform/replicas.ts';

export type Transform = (resources: ResourceList) => void;

/** All files are read before anything is done. Throws KustomizeError. */
export function transformsOf(
  kustomization: Kustomization,
  configuration: TransformerConfiguration,
  loader: Loader,
): Transform[] {
  const { namespace = '', namePrefix = '', nameSuffix = '', commonLabels, commonAnnotations } = kustomization;
  const { patchesStrategicMerge = [], patches = [], patchesJson6902 = [] } = kustomization;
  const { labels = [], replicas = [], images = [] } = kustomization;
  const { commonLabels: labelSpecs, commonAnnotations: annotationSpecs } = configuration;
  return [
    ...(patchesStrategicMerge.length > 0 ? [strategicTransform(patchesStrategicMerge, loader)] : []),
    ...patches.map((entry) => patchTransform(entry, loader)),
    (all) => setNamespace(all, { namespace, fieldSpecs: configuration.namespace }),
    ...affix('prefix', namePrefix, configuration.namePrefix),
    ...affix('suffix', nameSuffix, configuration.nameSuffix),
    ...labels.map((entry): Transform => {
      const specs = labelFields(entry, configuration);
      return (all) => setPairs(all, entry.pairs ?? {}, specs);
    }),
    (all) => setPairs(all, commonLabels ?? {}, labelSpecs),
    (all) => setPairs(all, commonAnnotations ?? {}, annotationSpecs),
    ...patchesJson6902.map((entry) => operationsTransform(entry, loader)),
    ...replicas.map(
      (entry): Transform =>
        (all) =>
          setReplicas(all, entry, configuration.replicas),
    ),
    ...images.map(
      (entry): Transform =>
        (all) =>
          setImage(all, entry, configuration.images),
    ),
  ];
}

const affix = (side: 'prefix' | 'suffix', text: string, fieldSpecs: readonly FieldSpec[]): Transform[] =>
  text === '' ? [] : [(all) => addAffix(all, { side, text, fieldSpecs })];

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
