/** What a webhook is told of a request (upstream: plugin/pkg/authorizer/webhook). */
import { type JsonObject, type JsonValue, parseFieldSelector, parseLabelSelector } from '@wherry/kubeapi';
import type { Attributes } from '../authorizer.ts';

/** The `spec` of a SubjectAccessReview, with all of its texts: conditions see those that are '', too. */
export function reviewSpec(attributes: Attributes): JsonObject {
  const { user, isResource, path, verb } = attributes;
  return {
    ...(isResource
      ? { resourceAttributes: resourceAttributes(attributes) }
      : { nonResourceAttributes: { path, verb } }),
    ...{ user: user.name, groups: [...user.groups], uid: user.uid },
    extra: Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]])),
  };
}

function resourceAttributes(attributes: Attributes): JsonObject {
  const { namespace, verb, group, version = '*', resource, subresource, name } = attributes;
  const fields = requirementsOf(attributes.fieldSelector, fieldRequirements);
  const labels = requirementsOf(attributes.labelSelector, labelRequirements);
  return {
    ...{ namespace, verb, group, version, resource, subresource, name },
    ...(fields.length > 0 ? { fieldSelector: { requirements: fields } } : {}),
    ...(labels.length > 0 ? { labelSelector: { requirements: labels } } : {}),
  };
}

/** What can't be read narrows nothing, as upstream. */
function requirementsOf(text: string | undefined, read: (text: string) => JsonObject[]): JsonObject[] {
  try {
    return text ? read(text) : [];
  } catch {
    return [];
  }
}

function fieldRequirements(text: string): JsonObject[] {
  return parseFieldSelector(text).terms.map(({ field, isEqual, value }) => ({
    ...{ key: field, operator: isEqual ? 'In' : 'NotIn', values: [value] },
  }));
}

const labelOperators = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

function labelRequirements(text: string): JsonObject[] {
  return parseLabelSelector(text).requirements.flatMap(({ key, operator, values }) =>
    labelOperators.has(operator)
      ? [{ key, operator, ...(values.length > 0 ? { values: [...values] } : {}) }]
      : [],
  );
}

/** The same as it is sent: what is empty is left out, as upstream; `groups` had another name before v1. */
export function sentSpec(spec: JsonObject, version: string): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).flatMap(([name, value]): [string, JsonValue][] => {
      if (name === 'groups' && version === 'v1beta1') return isEmpty(value) ? [] : [['group', value]];
      if (name === 'resourceAttributes' || name === 'nonResourceAttributes')
        return [[name, withoutTexts(value as JsonObject)]];
      return isEmpty(value) ? [] : [[name, value]];
    }),
  );
}

function withoutTexts(attributes: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}

function isEmpty(value: JsonValue): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
