/** What expressions of policies and of webhooks' conditions see, beside the object itself (upstream: plugin/cel/compile.go). */
import type { JSONSchemaProps } from '../../generated/types.ts';
import { isJsonObject, type JsonValue } from '../../json/json-value.ts';
import { type AskAccess, authorizerOf, resourceCheckOf } from '../kubernetes/authorization.ts';
import { anything, type DeclaredType, declaredType } from '../schema/declared-type.ts';
import { typedValue } from '../schema/typed-value.ts';
import { fromJson } from '../values/json.ts';
import type { Value } from '../values/value.ts';

const text: JSONSchemaProps = { type: 'string' };
const texts: JSONSchemaProps = { type: 'object', additionalProperties: text };
const list = (items: JSONSchemaProps): JSONSchemaProps => ({ type: 'array', items });
const object = (properties: Record<string, JSONSchemaProps>): JSONSchemaProps => ({
  type: 'object',
  properties,
});

const kind = object({ group: text, version: text, kind: text });
const resource = object({ group: text, version: text, resource: text });
const requestSchema = object({
  ...{ kind, resource, subResource: text, requestKind: kind, requestResource: resource },
  ...{ requestSubResource: text, name: text, namespace: text, operation: text, dryRun: { type: 'boolean' } },
  options: anything,
  userInfo: object({
    ...{ username: text, uid: text, groups: list(text) },
    extra: { type: 'object', additionalProperties: list(text) },
  }),
});
const namespaceSchema = object({
  metadata: object({
    ...{ name: text, generateName: text, namespace: text, uid: text, resourceVersion: text },
    ...{ generation: { type: 'integer' }, deletionGracePeriodSeconds: { type: 'integer' } },
    ...{
      creationTimestamp: { type: 'string', format: 'date-time' },
      deletionTimestamp: { type: 'string', format: 'date-time' },
    },
    ...{ labels: texts, annotations: texts, finalizers: list(text) },
  }),
  spec: object({ finalizers: list(text) }),
  status: object({ phase: text }),
});

export const requestType: DeclaredType = declaredType(requestSchema, 'kubernetes.AdmissionRequest')!;
export const namespaceType: DeclaredType = declaredType(namespaceSchema, 'kubernetes.Namespace')!;

/** One request, as a webhook is told of it. */
export interface PolicyInputs {
  object: JsonValue;
  oldObject: JsonValue;
  /** Its object and oldObject are not looked at. */
  request: JsonValue;
  /** Null where the object is in none. */
  namespaceObject: JsonValue;
  /** Undefined where the policy takes none; null where there are none. */
  params?: JsonValue | undefined;
  /** Who may do what; asked for whoever makes the request, and for service accounts. */
  askAccess: AskAccess;
}

/** What the request itself is for, in the version and group that it was made in. */
function requestedResource(request: JsonValue) {
  const { requestResource = null, ...asked } = isJsonObject(request) ? request : {};
  const text = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '');
  const { group, resource } = isJsonObject(requestResource) ? requestResource : {};
  return {
    ...{ group: text(group), resource: text(resource), subresource: text(asked.requestSubResource) },
    ...{ namespace: text(asked.namespace), name: text(asked.name) },
  };
}

/** The values of variables. */
export function inputValues(inputs: PolicyInputs): (name: string) => Value | undefined {
  const known = new Map<string, Value>([
    ['object', fromJson(inputs.object)],
    ['oldObject', fromJson(inputs.oldObject)],
    ['request', isJsonObject(inputs.request) ? typedValue(inputs.request, requestSchema) : null],
    [
      'namespaceObject',
      isJsonObject(inputs.namespaceObject) ? typedValue(inputs.namespaceObject, namespaceSchema) : null,
    ],
    ...(inputs.params === undefined ? [] : [['params', fromJson(inputs.params)] as const]),
    ['authorizer', authorizerOf(inputs.askAccess)],
    ['authorizer.requestResource', resourceCheckOf(inputs.askAccess, requestedResource(inputs.request))],
  ]);
  return (name) => known.get(name);
}
