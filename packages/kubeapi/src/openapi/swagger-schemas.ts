/** OpenAPI v3 schemas said in version 2 (Swagger), as kubectl before 1.27 reads them. */
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/json-value.ts';

/** Where version 2 keeps schemas. */
const definitions = '#/definitions/';
const components = '#/components/schemas/';

/**
 * The same schema in version 2: it has no `oneOf` (upstream calls such values strings), a reference stands beside its
 * description instead of inside an `allOf`, and upstream leaves defaults out.
 */
export function swaggerSchema(schema: JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'default') continue;
    if (key === 'oneOf') result['type'] = 'string';
    else if (key === '$ref') result['$ref'] = definitionReference(value);
    else if (key === 'allOf') Object.assign(result, swaggerSchema(onlyOf(value)));
    else if (key === 'properties') result[key] = swaggerSchemas(value as JsonObject);
    else if ((key === 'items' || key === 'additionalProperties') && isJsonObject(value))
      setOwn(result, key, swaggerSchema(value));
    else setOwn(result, key, value);
  }
  return result;
}

/** Each schema of a map, in version 2. */
export function swaggerSchemas(schemas: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, swaggerSchema(schema as JsonObject)]),
  );
}

const definitionReference = (reference: JsonValue) =>
  typeof reference === 'string' ? reference.replace(components, definitions) : reference;

/** Our version 3 documents put one reference into an `allOf`, to have a place for its description. */
function onlyOf(list: JsonValue): JsonObject {
  const [only] = list as JsonObject[];
  return only!;
}
