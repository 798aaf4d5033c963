/** Schemas of custom resources, in a form that objects can be held to; made once for each version that is served. */

import { knownFormat } from '../formats/schema-formats.ts';
import type { JSONSchemaProps } from '../generated/types.ts';
import { isJsonObject, type JsonValue } from '../json/json-value.ts';
import { compilePattern, type Pattern } from '../values/pattern.ts';

/** What a schema says of one value. Types are references: a schema holds those of its parts. */
export interface StructuralSchema {
  /** Empty where any will do. */
  types: readonly string[];
  isNullable: boolean;
  defaultValue: JsonValue | undefined;
  properties: ReadonlyMap<string, StructuralSchema>;
  /** Of values under other names: true and false without a schema of theirs, undefined where there are none. */
  additional: StructuralSchema | boolean | undefined;
  items: StructuralSchema | undefined;
  /** Fields that the schema does not name are kept. */
  preservesUnknown: boolean;
  /** A whole object with apiVersion, kind and metadata. */
  isEmbedded: boolean;
  listType: 'atomic' | 'set' | 'map';
  listMapKeys: readonly string[];
  isAtomic: boolean;
  /** Of texts, where it is one that is looked at. */
  format: string | undefined;
  pattern: Pattern | undefined;
  allOf: readonly StructuralSchema[];
  anyOf: readonly StructuralSchema[];
  oneOf: readonly StructuralSchema[];
  not: StructuralSchema | undefined;
  /** The words themselves: bounds, lengths, required names. */
  words: JSONSchemaProps;
}

/** The schema of these words, which must have been found structural. */
export function compileSchema(words: JSONSchemaProps): StructuralSchema {
  const { additionalProperties, items } = words;
  const compileAll = (schemas: readonly JSONSchemaProps[] = []) => schemas.map(compileSchema);
  return {
    words,
    types: words['x-kubernetes-int-or-string'] ? ['integer', 'string'] : words.type ? [words.type] : [],
    isNullable: words.nullable === true,
    defaultValue: words.default,
    properties: new Map(
      Object.entries(words.properties ?? {}).map(([name, schema]) => [name, compileSchema(schema)]),
    ),
    additional:
      typeof additionalProperties === 'object' ? compileSchema(additionalProperties) : additionalProperties,
    items: isJsonObject(items) ? compileSchema(items) : undefined,
    preservesUnknown: words['x-kubernetes-preserve-unknown-fields'] === true,
    isEmbedded: words['x-kubernetes-embedded-resource'] === true,
    listType: (words['x-kubernetes-list-type'] ?? 'atomic') as StructuralSchema['listType'],
    listMapKeys: words['x-kubernetes-list-map-keys'] ?? [],
    isAtomic: words['x-kubernetes-map-type'] === 'atomic',
    format: knownFormat(words),
    pattern: words.pattern ? compilePattern(words.pattern) : undefined,
    allOf: compileAll(words.allOf),
    anyOf: compileAll(words.anyOf),
    oneOf: compileAll(words.oneOf),
    not: words.not && compileSchema(words.not),
  };
}

/** The schema of what stands under a name, as far as there is one. */
export function schemaOfProperty(
  schema: StructuralSchema | undefined,
  name: string,
): StructuralSchema | undefined {
  const named = schema?.properties.get(name);
  if (named) return named;
  return typeof schema?.additional === 'object' ? schema.additional : undefined;
}
