/** Schemas of kinds out of a server's documents (upstream: pkg/cel/openapi/resolver). */
import type { JSONSchemaProps } from '../../generated/types.ts';
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '../../json/json-value.ts';
import { celTypePartsMax } from '../../limits.ts';

/** A kind in one version. */
export interface VersionedKind {
  /** Empty for the core group. */
  group: string;
  version: string;
  kind: string;
}

const kindsWord = 'x-kubernetes-group-version-kind';
const refPrefix = '#/components/schemas/';

/**
 * The schema of a kind in a document of OpenAPI v3, with what it refers to in the place of each reference; undefined where the
 * document does not have the kind, lacks something that it refers to, or comes to more than `celTypePartsMax` parts. What leads back to itself is an empty object there.
 */
export function schemaInDocument(document: JsonValue, wanted: VersionedKind): JSONSchemaProps | undefined {
  const components = isJsonObject(document) ? ownValue(document, 'components') : undefined;
  const schemas = isJsonObject(components) ? ownValue(components, 'schemas') : undefined;
  if (!isJsonObject(schemas)) return undefined;
  const found = Object.entries(schemas).find(([, schema]) => isOfKind(schema, wanted));
  return found && new Resolution(schemas).resolve({ $ref: `${refPrefix}${found[0]}` });
}

function isOfKind(schema: JsonValue, { group, version, kind }: VersionedKind): boolean {
  const kinds = isJsonObject(schema) ? ownValue(schema, kindsWord) : undefined;
  if (!Array.isArray(kinds)) return false;
  return kinds.some(
    (each) =>
      isJsonObject(each) && each['group'] === group && each['version'] === version && each['kind'] === kind,
  );
}

class Resolution {
  readonly #schemas: JsonObject;
  /** What the way to the present place has gone through. */
  readonly #through = new Set<string>();
  #parts = 0;

  constructor(schemas: JsonObject) {
    this.#schemas = schemas;
  }

  resolve(schema: JsonObject): JSONSchemaProps | undefined {
    this.#parts += 1;
    if (this.#parts > celTypePartsMax) return undefined;
    const ref = refOf(schema);
    if (ref === undefined) return this.#withParts(schema);
    if (this.#through.has(ref)) return { type: 'object' };
    const target = ownValue(this.#schemas, ref);
    if (!isJsonObject(target)) return undefined;
    this.#through.add(ref);
    try {
      return this.resolve(target);
    } finally {
      this.#through.delete(ref);
    }
  }

  #withParts(schema: JsonObject): JSONSchemaProps | undefined {
    const result: JsonObject = { ...schema };
    // So the format of built-in kinds says what a word says in custom resources.
    if (schema['format'] === 'int-or-string') result['x-kubernetes-int-or-string'] = true;
    for (const word of ['items', 'additionalProperties']) {
      const part = ownValue(schema, word);
      if (!isJsonObject(part)) continue;
      const resolved = this.resolve(part);
      if (!resolved) return undefined;
      setOwn(result, word, resolved as JsonValue);
    }
    if (!isJsonObject(schema['properties'])) return result as JSONSchemaProps;
    const properties = Object.entries(schema['properties']).map(
      ([name, part]) => [name, isJsonObject(part) ? this.resolve(part) : undefined] as const,
    );
    if (properties.some(([, part]) => part === undefined)) return undefined;
    return { ...result, properties: Object.fromEntries(properties) } as JSONSchemaProps;
  }
}

/** The name that a schema refers to, itself or in an `allOf` that only gives it a description. */
function refOf(schema: JsonObject): string | undefined {
  const { $ref, allOf } = schema;
  if (typeof $ref === 'string') return $ref.startsWith(refPrefix) ? $ref.slice(refPrefix.length) : $ref;
  if (!Array.isArray(allOf)) return undefined;
  return allOf
    .map((part) => (isJsonObject(part) ? refOf(part) : undefined))
    .find((name) => name !== undefined);
}
