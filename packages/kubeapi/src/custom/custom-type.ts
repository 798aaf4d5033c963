/** The type of a custom resource in one of its versions: its schema in every part that an {@link ObjectType} has. */

import { checkRules } from '../cel/schema/check-rules.ts';
import { compileRules } from '../cel/schema/compiled-rules.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  GroupVersionKind,
  ObjectMeta,
} from '../generated/types.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { ObjectType } from '../object-type.ts';
import { ConformError, type Conformed } from '../schema/conform.ts';
import { fieldText } from '../selector/field-selector.ts';
import type { FieldError } from '../status/field-error.ts';
import { dnsSubdomain } from '../validation/formats.ts';
import { validateMetadata, validateMetadataUpdate } from '../validation/metadata.ts';
import { checkLists } from './check-lists.ts';
import { checkScaleSpec, checkScaleStatus } from './check-scale.ts';
import { checkValue } from './check-value.ts';
import { customPrinter } from './columns.ts';
import { applySchemaDefaults } from './defaults.ts';
import { checkEmbedded, conformEmbedded, conformMetadata } from './embedded.ts';
import { rootNode } from './ownership.ts';
import { pruneObject } from './prune.ts';
import { compileSchema, type StructuralSchema } from './structural-schema.ts';

/** The type of the objects of a definition in one of its versions. Needs `loadPatternEngine`. */
export function customType(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): ObjectType {
  const gvk = { group: spec.group, version: version.name, kind: spec.names.kind };
  const schema = compileSchema(version.schema?.openAPIV3Schema ?? {});
  const rules = { namespaced: spec.scope === 'Namespaced', name: dnsSubdomain };
  const metadataOf = (object: object) => (object as { metadata?: ObjectMeta }).metadata ?? {};
  const paths = (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, ''));
  const scale = version.subresources?.scale;
  const scaleErrors = (object: JsonObject, subresource = '') => [
    ...(scale && subresource !== 'status' ? checkScaleSpec(object, scale) : []),
    ...(scale ? checkScaleStatus(object, scale) : []),
  ];
  const ruleNode = compileRules(version.schema?.openAPIV3Schema ?? {});
  return {
    gvk,
    listKind: spec.names.listKind,
    read: (value) => readObject(value, schema, gvk),
    setDefaults: (object, isApplied) => applySchemaDefaults(object as JsonObject, schema, isApplied),
    checkNew: (object) => [
      ...validateMetadata(metadataOf(object), rules),
      ...checkContent(object as JsonObject, schema),
      ...scaleErrors(object as JsonObject),
    ],
    checkChange: (next, previous, subresource) => [
      ...validateMetadataUpdate(metadataOf(next), metadataOf(previous)),
      ...(subresource === 'status'
        ? checkStatus(next as JsonObject, schema, previous as JsonObject)
        : checkContent(next as JsonObject, schema, previous as JsonObject)),
      ...scaleErrors(next as JsonObject, subresource),
    ],
    ...(ruleNode
      ? {
          checkRules: (next, previous, pause) =>
            checkRules(next as JsonObject, ruleNode, previous as JsonObject | undefined, pause),
        }
      : {}),
    printer: customPrinter(version.additionalPrinterColumns),
    fieldLabels: paths,
    fieldText,
    node: rootNode(schema),
  };
}

function readObject(value: JsonValue, schema: StructuralSchema, { kind }: GroupVersionKind): Conformed {
  if (!isJsonObject(value))
    throw new ConformError(`json: cannot unmarshal a value that is no object into a ${kind}`);
  const object = copyJson(value);
  const { apiVersion, kind: said, metadata: given, ...content } = object;
  const { metadata, unknownFields } = conformMetadata(given ?? {});
  const pruned = pruneObject(content, schema);
  const embedded = Object.entries(content).flatMap(([name, part]) =>
    conformEmbedded(part, schema.properties.get(name), name),
  );
  // As upstream tells of them: those of each in their order.
  const ofMetadata = unknownFields.map((path) => `metadata.${path}`);
  const unknown = [ofMetadata, pruned, embedded].flatMap((paths) => paths.toSorted());
  return { object: { ...withTypes(said, apiVersion), metadata, ...content }, unknownFields: unknown };
}

function withTypes(kind: JsonValue | undefined, apiVersion: JsonValue | undefined): JsonObject {
  return {
    ...(typeof kind === 'string' ? { kind } : {}),
    ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
  };
}

/** Lists that had the same value twice before may have it still. */
function checkRepeats(object: JsonObject, schema: StructuralSchema, previous?: JsonObject): FieldError[] {
  return previous && checkLists(previous, schema).length > 0 ? [] : checkLists(object, schema);
}

/** Who changes a status is told of nothing else: what became stricter outside of it is let be. As upstream, complaints name places in it. */
function checkStatus(object: JsonObject, schema: StructuralSchema, previous: JsonObject): FieldError[] {
  const { status } = object;
  const ofStatus = schema.properties.get('status');
  const errors =
    status === undefined || !ofStatus ? [] : checkValue(status, ofStatus, '', previous['status']);
  const placed = errors.map((error) => ({
    ...error,
    field: error.field === '' || error.field === '<nil>' ? 'status' : `status.${error.field}`,
  }));
  return [...placed, ...checkRepeats(object, schema, previous)];
}

function checkContent(object: JsonObject, schema: StructuralSchema, previous?: JsonObject): FieldError[] {
  // Changes of metadata alone are none of the content: what became stricter meanwhile is let be.
  const before = previous && { ...previous, metadata: object['metadata'] ?? {} };
  return [
    ...checkValue(object, schema, '', before),
    ...checkEmbedded(object, schema),
    ...checkRepeats(object, schema, previous),
  ];
}
