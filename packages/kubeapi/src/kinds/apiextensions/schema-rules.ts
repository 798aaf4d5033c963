/** Which words a schema may use, and in which company (upstream: ValidateCustomResourceDefinitionOpenAPISchema). */

import { normalFieldPath } from '../../cel/schema/field-path.ts';
import type { JSONSchemaProps } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
import { listErrors } from './list-rules.ts';

/** Where in an object a schema stands. */
export interface SchemaPlace {
  isRoot: boolean;
  /** Of an apiVersion, kind or metadata. */
  isInMeta: boolean;
  /** Why there may be no defaults; undefined where there may. */
  noDefaults: string | undefined;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const ofEveryObject: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);
const unsupported = ['additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const;

/** Violations in a schema and its parts. */
export function schemaErrors(words: JSONSchemaProps, path: FieldPath, place: SchemaPlace): FieldError[] {
  return [...ownErrors(words, path, place), ...listErrors(words, path), ...partErrors(words, path, place)];
}

function ownErrors(
  words: JSONSchemaProps,
  path: FieldPath,
  { isInMeta, noDefaults }: SchemaPlace,
): FieldError[] {
  const { additionalProperties, type = '', uniqueItems, properties = {} } = words;
  const preserves = words['x-kubernetes-preserve-unknown-fields'];
  const errors: FieldError[] = [];
  const forbid = (name: string, detail: string) => errors.push(forbiddenField(child(path, name), detail));
  if (type !== '' && type !== 'null' && !types.includes(type))
    errors.push(notSupported(child(path, 'type'), type, types));
  if (words.default !== undefined && noDefaults !== undefined)
    forbid('default', `must not be set ${noDefaults}`.trim());
  if (words.id) forbid('id', 'id is not supported');
  for (const name of unsupported) if (words[name] !== undefined) forbid(name, `${name} is not supported`);
  if (type === 'null') {
    errors.push(notSupported(child(path, 'type'), type, types));
    forbid('type', 'type cannot be set to null, use nullable as an alternative');
  }
  if (Array.isArray(words.items)) forbid('items', 'items must be a schema object and not an array');
  if (isInMeta && words['x-kubernetes-embedded-resource'])
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  if (uniqueItems)
    forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  if (
    additionalProperties !== undefined &&
    additionalProperties !== true &&
    Object.keys(properties).length > 0
  )
    forbid('additionalProperties', 'additionalProperties and properties are mutual exclusive');
  if (preserves === false)
    errors.push(
      invalidValue(child(path, 'x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'),
    );
  return [...errors, ...ruleFormErrors(words, child(path, 'x-kubernetes-validations'))];
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasBreak = (text: string) => /[\n\r]/.test(text);

/** The form of the rules alone: `rule-costs` looks at what they say. */
function ruleFormErrors(words: JSONSchemaProps, path: FieldPath): FieldError[] {
  return (words['x-kubernetes-validations'] ?? []).flatMap((validation, index) => {
    const { rule, message = '', messageExpression = '', reason, fieldPath = '' } = validation;
    const place = (name: string) => child(at(path, index), name);
    const errors: FieldError[] = [];
    if (rule.trim() === '') errors.push(required(place('rule'), 'rule is not specified'));
    else if (message !== '' && message.trim() === '')
      errors.push(invalidValue(place('message'), message, 'must be non-empty if specified'));
    else if (hasBreak(message.trim()))
      errors.push(invalidValue(place('message'), message, 'must not contain line breaks'));
    else if (hasBreak(rule.trim()) && message.trim() === '')
      errors.push(required(place('message'), 'message must be specified if rule contains line breaks'));
    if (messageExpression !== '' && messageExpression.trim() === '')
      errors.push(required(place('messageExpression'), 'messageExpression must be non-empty if specified'));
    if (reason !== undefined && !reasons.includes(reason))
      errors.push(notSupported(place('reason'), reason, reasons));
    if (fieldPath !== '' && fieldPath.trim() === '')
      errors.push(invalidValue(place('fieldPath'), fieldPath, 'must be non-empty if specified'));
    if (hasBreak(fieldPath))
      errors.push(invalidValue(place('fieldPath'), fieldPath as JsonValue, 'must not contain line breaks'));
    if (fieldPath !== '' && normalFieldPath(fieldPath, words) === undefined)
      errors.push(invalidValue(place('fieldPath'), fieldPath as JsonValue, 'must be a valid path'));
    return errors;
  });
}

function partErrors(words: JSONSchemaProps, path: FieldPath, place: SchemaPlace): FieldError[] {
  const { additionalProperties, items, not, properties = {}, allOf = [], anyOf = [], oneOf = [] } = words;
  const inner = { ...place, isRoot: false };
  const hasMeta = place.isRoot || words['x-kubernetes-embedded-resource'] === true;
  const list = (schemas: readonly JSONSchemaProps[], name: string) =>
    schemas.flatMap((part, index) => schemaErrors(part, at(child(path, name), index), inner));
  const placeOf = (name: string): SchemaPlace => {
    if (!hasMeta || !ofEveryObject.has(name)) return inner;
    return { ...inner, isInMeta: true, noDefaults: place.isRoot ? `in top-level ${name}` : inner.noDefaults };
  };
  const ofMaps = place.isInMeta
    ? { ...inner, noDefaults: 'inside additionalProperties applying to object metadata' }
    : inner;
  return [
    ...(typeof additionalProperties === 'object'
      ? schemaErrors(additionalProperties, child(path, 'additionalProperties'), ofMaps)
      : []),
    ...Object.entries(properties).flatMap(([name, part]) =>
      schemaErrors(part, at(child(path, 'properties'), name), placeOf(name)),
    ),
    ...(not ? schemaErrors(not, child(path, 'not'), inner) : []),
    ...[...list(allOf, 'allOf'), ...list(oneOf, 'oneOf'), ...list(anyOf, 'anyOf')],
    ...(Array.isArray(items)
      ? list(items, 'items')
      : items
        ? schemaErrors(items, child(path, 'items'), inner)
        : []),
  ];
}
