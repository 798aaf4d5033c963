/** OpenAPI v3 path items said in version 2: bodies are parameters, types of content stand beside the operation. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import { swaggerSchema } from './swagger-schemas.ts';

/** Each path item of a map, in version 2. */
export function swaggerPaths(paths: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, swaggerPathItem(item as JsonObject)]),
  );
}

function swaggerPathItem(item: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([key, value]): [string, JsonValue] =>
      key === 'parameters'
        ? [key, (value as JsonObject[]).map(swaggerParameter)]
        : [key, swaggerOperation(value as JsonObject)],
    ),
  );
}

/** Without a body: in version 3 the type stands one level deeper. */
function swaggerParameter({ schema, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...(schema as JsonObject) };
}

function swaggerOperation(operation: JsonObject): JsonObject {
  const { parameters, requestBody, responses, ...rest } = operation;
  const own = ((parameters ?? []) as JsonObject[]).map(swaggerParameter);
  const body = isJsonObject(requestBody) ? (requestBody['content'] as JsonObject) : undefined;
  if (body) own.unshift(bodyParameter(body));
  return {
    ...(body ? { consumes: Object.keys(body) } : {}),
    produces: ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'],
    ...(own.length > 0 ? { parameters: own } : {}),
    responses: Object.fromEntries(
      Object.entries(responses as JsonObject).map(([code, answer]) => [
        code,
        swaggerResponse(answer as JsonObject),
      ]),
    ),
    ...rest,
  };
}

function bodyParameter(content: JsonObject): JsonObject {
  return { name: 'body', in: 'body', required: true, schema: firstSchema(content) };
}

function swaggerResponse({ content, ...rest }: JsonObject): JsonObject {
  return isJsonObject(content) ? { ...rest, schema: firstSchema(content) } : rest;
}

/** Version 2 has one schema for every type of content. */
function firstSchema(content: JsonObject): JsonObject {
  const [first] = Object.values(content) as { schema: JsonObject }[];
  return swaggerSchema(first!.schema);
}
