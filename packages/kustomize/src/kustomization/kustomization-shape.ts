/** The fields of a kustomization (kustomize api/types). */
import type { Shape } from './shape.ts';

/** A field of a transformer's configuration, as files have it. */
export interface FieldSpecEntry {
  group?: string;
  version?: string;
  kind?: string;
  path?: string;
  create?: boolean;
}

const struct = (type: string, fields: Readonly<Record<string, Shape>>): Shape => ({ fields, type });
const strings: Shape = { list: 'string' };
const pairs: Shape = { values: 'string' };

const gvk = { group: 'string', version: 'string', kind: 'string' } as const;
const objectId = { ...gvk, name: 'string', namespace: 'string' } as const;

export const fieldSpecShape = struct('FieldSpec', { ...gvk, path: 'string', create: 'bool' });

export const selectorShape = struct('Selector', {
  ...objectId,
  annotationSelector: 'string',
  labelSelector: 'string',
});

export const patchShape = struct('Patch', {
  path: 'string',
  patch: 'string',
  target: selectorShape,
  options: struct('PatchArgs', { allowNameChange: 'bool', allowKindChange: 'bool' }),
});

export const imageShape = struct('Image', {
  ...{ name: 'string', newName: 'string', tagSuffix: 'string', newTag: 'string', digest: 'string' },
});

export const replicaShape = struct('Replica', { name: 'string', count: 'int' });

const fieldOptions = struct('FieldOptions', {
  ...{ delimiter: 'string', index: 'int', encoding: 'string', create: 'bool' },
});

const replacement = {
  source: struct('SourceSelector', { ...objectId, fieldPath: 'string', options: fieldOptions }),
  targets: {
    list: struct('TargetSelector', {
      select: selectorShape,
      reject: { list: selectorShape },
      fieldPaths: strings,
      options: fieldOptions,
    }),
  },
  sourceValue: 'string',
} as const satisfies Record<string, Shape>;

export const replacementShape = struct('Replacement', replacement);

const generatorOptionsShape = struct('GeneratorOptions', {
  ...{ labels: pairs, annotations: pairs, disableNameSuffixHash: 'bool', immutable: 'bool' },
});

export const generatorFields = {
  ...{ namespace: 'string', name: 'string', behavior: 'string' },
  ...{ literals: strings, files: strings, envs: strings, env: 'string' },
  options: generatorOptionsShape,
} as const satisfies Record<string, Shape>;

const sortOptionsShape = struct('SortOptions', {
  order: 'string',
  legacySortOptions: struct('LegacySortOptions', { orderFirst: strings, orderLast: strings }),
});

const metadata = struct('ObjectMeta', {
  ...{ name: 'string', namespace: 'string', labels: pairs, annotations: pairs },
});

export const replacementEntryShape = struct('ReplacementField', { path: 'string', ...replacement });

export const kustomizationShape = struct('Kustomization', {
  ...{ apiVersion: 'string', kind: 'string', metadata, openapi: pairs },
  ...{ namePrefix: 'string', nameSuffix: 'string', namespace: 'string' },
  ...{ commonLabels: pairs, commonAnnotations: pairs },
  labels: {
    list: struct('Label', {
      ...{ pairs, includeSelectors: 'bool', includeTemplates: 'bool', fields: { list: fieldSpecShape } },
    }),
  },
  ...{ patchesStrategicMerge: strings, patchesJson6902: { list: patchShape }, patches: { list: patchShape } },
  ...{ images: { list: imageShape }, imageTags: { list: imageShape } },
  replacements: { list: replacementEntryShape },
  replicas: { list: replicaShape },
  vars: {
    list: struct('Var', {
      name: 'string',
      objref: struct('Target', { apiVersion: 'string', ...objectId }),
      fieldref: struct('FieldSelector', { fieldPath: 'string' }),
    }),
  },
  sortOptions: sortOptionsShape,
  ...{ resources: strings, components: strings, crds: strings, bases: strings },
  configMapGenerator: { list: struct('ConfigMapArgs', generatorFields) },
  secretGenerator: { list: struct('SecretArgs', { ...generatorFields, type: 'string' }) },
  generatorOptions: generatorOptionsShape,
  // Charts are refused as a whole.
  ...{ helmGlobals: 'any', helmCharts: { list: 'any' }, helmChartInflationGenerator: { list: 'any' } },
  ...{ configurations: strings, generators: strings, transformers: strings, validators: strings },
  buildMetadata: strings,
});
