/** Files of `configurations` and `crds`: more fields for transformers to look at. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '@wherry/kubeapi';
import { standardConfiguration } from '../configuration/standard.ts';
import {
  emptyConfiguration,
  mergeConfigurations,
  specLists,
  type TransformerConfiguration,
} from '../configuration/transformer-configuration.ts';
import { KustomizeError, within } from '../errors.ts';
import type { Loader } from '../files/loader.ts';
import { limits } from '../limits.ts';
import { type FieldSpec, fieldSpec, sorted } from '../model/field-spec.ts';
import { readJsonLike } from '../yaml/read-json.ts';
import { type FieldSpecEntry, fieldSpecShape } from './kustomization-shape.ts';
import { type Shape, shaped } from './shape.ts';

type ReferenceEntry = FieldSpecEntry & { fieldSpecs?: FieldSpecEntry[] };
type ReadConfiguration = Partial<Record<(typeof specLists)[number], FieldSpecEntry[]>> & {
  nameReference?: ReferenceEntry[];
};

const configurationShape: Shape = {
  type: 'TransformerConfig',
  fields: {
    ...Object.fromEntries(specLists.map((name): [string, Shape] => [name, { list: fieldSpecShape }])),
    nameReference: {
      list: {
        type: 'NameBackReferences',
        fields: { group: 'string', version: 'string', kind: 'string', fieldSpecs: { list: fieldSpecShape } },
      },
    },
  },
};

const specOf = ({ path = '', ...parts }: FieldSpecEntry): FieldSpec => fieldSpec(path, parts);

/** kustomize's own fields, with those of the files. Throws KustomizeError. */
export function configurationOf(paths: readonly string[], loader: Loader): TransformerConfiguration {
  let added = emptyConfiguration();
  for (const path of paths) {
    const read = (shaped(readJsonLike(loader.loadText(path)), configurationShape) ?? {}) as ReadConfiguration;
    const one = emptyConfiguration();
    for (const name of specLists) one[name] = sorted((read[name] ?? []).map(specOf));
    one.nameReference = sorted(
      (read.nameReference ?? []).map(({ group = '', version = '', kind = '', fieldSpecs = [] }) => ({
        ...{ group, version, kind },
        fieldSpecs: fieldSpecs.map(specOf),
      })),
    );
    added = mergeConfigurations(added, one);
  }
  return paths.length === 0 ? standardConfiguration() : mergeConfigurations(standardConfiguration(), added);
}

/** Fields that definitions of custom resources mark, in OpenAPI as kustomize's `crds` have it. */
export function configurationOfDefinitions(
  paths: readonly string[],
  loader: Loader,
): TransformerConfiguration {
  let result = emptyConfiguration();
  const left = { fields: limits.definitionFieldsMax };
  for (const path of paths) {
    const value = within(`unable to parse open API definition from '${path}'`, () => {
      const read = readJsonLike(loader.loadText(path));
      if (!isJsonObject(read)) throw new KustomizeError('it is no map of definitions');
      return read;
    });
    for (const [name, definition] of Object.entries(value)) {
      const properties = propertiesOf(definition);
      if (!['kind', 'apiVersion', 'metadata'].every((field) => Object.hasOwn(properties, field))) continue;
      const one = emptyConfiguration();
      const kind = name.slice(name.lastIndexOf('.') + 1);
      addMarked(one, { kind, definitions: value, left }, name, []);
      result = mergeConfigurations(result, one);
    }
  }
  return result;
}

function propertiesOf(definition: JsonValue | undefined): JsonObject {
  if (!isJsonObject(definition)) return {};
  const schema = ownValue(definition, 'Schema') ?? ownValue(definition, 'schema');
  const properties = isJsonObject(schema) ? ownValue(schema, 'properties') : undefined;
  return isJsonObject(properties) ? properties : {};
}

interface Marked {
  kind: string;
  definitions: JsonObject;
  /** How many fields may still be looked at. */
  left: { fields: number };
}

function addMarked(into: TransformerConfiguration, of: Marked, name: string, path: readonly string[]): void {
  if (path.length > limits.depthMax) throw new KustomizeError(`definition ${name} stands in itself`);
  for (const [field, property] of Object.entries(propertiesOf(ownValue(of.definitions, name)))) {
    if (--of.left.fields < 0)
      throw new KustomizeError(
        `definitions may have ${limits.definitionFieldsMax} fields with those they refer to`,
      );
    if (!isJsonObject(property)) continue;
    const mark = (key: string) => {
      const value = ownValue(property, `x-kubernetes-${key}`);
      return typeof value === 'string' ? value : undefined;
    };
    const spec = (...more: string[]) => fieldSpec([...path, field, ...more].join('/'), { kind: of.kind });
    if (mark('annotation') !== undefined) into.commonAnnotations.push(spec());
    if (mark('label-selector') !== undefined) into.commonLabels.push(spec());
    if (mark('identity') !== undefined) into.namePrefix.push(spec());
    const [version, kind] = [mark('object-ref-api-version'), mark('object-ref-kind')];
    if (version !== undefined && kind !== undefined) {
      const fieldSpecs = [spec(mark('object-ref-name-key') ?? 'name')];
      into.nameReference.push({ group: '', version, kind, fieldSpecs });
    }
    const reference = ownValue(property, '$ref');
    if (typeof reference === 'string') addMarked(into, of, reference, [...path, field]);
  }
}
