/** A `kustomization.yaml`: read strictly, deprecated fields in the place of those that they stand for. */
import { KustomizeError, within } from '../errors.ts';
import type { GeneratorEntry, GeneratorOptions } from '../generate/generate.ts';
import type { PatchEntry } from '../patches/patches.ts';
import type { ReplacementEntry } from '../replacements/replacements.ts';
import type { ImageChange } from '../transform/images.ts';
import type { SortOptions } from '../transform/sort-order.ts';
import type { Variable } from '../variables/variables.ts';
import { readJsonLike } from '../yaml/read-json.ts';
import { type FieldSpecEntry, kustomizationShape } from './kustomization-shape.ts';
import { shaped } from './shape.ts';

export interface LabelEntry {
  pairs?: Record<string, string>;
  includeSelectors?: boolean;
  includeTemplates?: boolean;
  fields?: FieldSpecEntry[];
}

export interface Kustomization {
  apiVersion: string;
  kind: string;
  openapi?: { path?: string; version?: string };
  helmGlobals?: object;
  namePrefix?: string;
  nameSuffix?: string;
  namespace?: string;
  commonLabels?: Record<string, string>;
  labels?: LabelEntry[];
  commonAnnotations?: Record<string, string>;
  patchesStrategicMerge?: string[];
  patchesJson6902?: PatchEntry[];
  patches?: PatchEntry[];
  images?: ImageChange[];
  replacements?: ReplacementEntry[];
  replicas?: { name?: string; count?: number }[];
  vars?: Variable[];
  sortOptions?: SortOptions;
  resources?: string[];
  components?: string[];
  crds?: string[];
  configMapGenerator?: GeneratorEntry[];
  secretGenerator?: GeneratorEntry[];
  generatorOptions?: GeneratorOptions;
  helmCharts?: object[];
  helmChartInflationGenerator?: object[];
  configurations?: string[];
  generators?: string[];
  transformers?: string[];
  validators?: string[];
  buildMetadata?: string[];
}

/** A field that is read, and told to be written otherwise. */
const deprecations: readonly (readonly [field: string, instead: string])[] = [
  ['bases', 'resources'],
  ['commonLabels', 'labels'],
  ['imageTags', 'images'],
  ['patchesJson6902', 'patches'],
  ['patchesStrategicMerge', 'patches'],
  ['vars', 'replacements'],
];

/** `warn` is told what is deprecated. Throws KustomizeError. */
export function readKustomization(text: string, folder: string, warn: (line: string) => void): Kustomization {
  const value = within('invalid Kustomization', () => readJsonLike(text));
  const read = within('invalid Kustomization', () => shaped(value, kustomizationShape)) ?? {};
  const { bases, imageTags, ...said } = read as Partial<Kustomization> & {
    bases?: string[];
    imageTags?: ImageChange[];
  };
  const given = read as object;
  for (const [field, instead] of deprecations) {
    if (Object.hasOwn(given, field))
      warn(`# Warning: '${field}' is deprecated. Please use '${instead}' instead. ${advice(field)}`);
  }
  const { apiVersion, kind, ...content } = said;
  if (Object.keys(content).length === 0 && !bases && !imageTags)
    throw new KustomizeError('kustomization.yaml is empty');
  const isComponent = kind === 'Component';
  const version = `kustomize.config.k8s.io/${isComponent ? 'v1alpha1' : 'v1beta1'}`;
  const complaints = [
    ...(kind && kind !== 'Kustomization' && !isComponent
      ? ['kind should be Kustomization or Component']
      : []),
    ...(apiVersion && apiVersion !== version
      ? [`apiVersion for ${kind || 'Kustomization'} should be ${version}`]
      : []),
  ];
  if (complaints.length > 0)
    throw new KustomizeError(`Failed to read kustomization file under ${folder}:\n${complaints.join('\n')}`);
  return {
    ...content,
    apiVersion: version,
    kind: kind || 'Kustomization',
    ...(bases ? { resources: [...(said.resources ?? []), ...bases] } : {}),
    ...(imageTags ? { images: [...(said.images ?? []), ...imageTags] } : {}),
  };
}

const advice = (field: string): string =>
  `${field === 'vars' ? '[EXPERIMENTAL] ' : ''}Run 'kustomize edit fix' to update your Kustomization automatically.`;
