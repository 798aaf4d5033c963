/** Lists that are sets or maps, and maps that are replaced as a whole. */

import type { JSONSchemaProps } from '../../generated/types.ts';
import { ownValue } from '../../json/json-value.ts';
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
import { repeats } from '../../validation/repeats.ts';

/** Violations in what a schema says of how its value is merged. */
export function listErrors(words: JSONSchemaProps, path: FieldPath): FieldError[] {
  const mapType = words['x-kubernetes-map-type'];
  const listType = words['x-kubernetes-list-type'];
  const keys = words['x-kubernetes-list-map-keys'] ?? [];
  const placeOfType = child(path, 'x-kubernetes-list-type');
  const items = Array.isArray(words.items) ? undefined : words.items;
  return [
    ...wrongType(words, 'object', 'x-kubernetes-map-type', path),
    ...(mapType !== undefined && mapType !== 'atomic' && mapType !== 'granular'
      ? [notSupported(child(path, 'x-kubernetes-map-type'), mapType, ['atomic', 'granular'])]
      : []),
    ...wrongType(words, 'array', 'x-kubernetes-list-type', path),
    ...(listType === 'set' && words.type === 'array' && items
      ? setItemErrors(items, child(path, 'items'))
      : []),
    ...(listType !== undefined && !['atomic', 'set', 'map'].includes(listType)
      ? [notSupported(placeOfType, listType, ['atomic', 'set', 'map'])]
      : []),
    ...(keys.length > 0 && listType === undefined
      ? [required(placeOfType, 'must be map if x-kubernetes-list-map-keys is non-empty')]
      : []),
    ...(keys.length > 0 && listType !== undefined && listType !== 'map'
      ? [invalidValue(placeOfType, listType, 'must be map if x-kubernetes-list-map-keys is non-empty')]
      : []),
    ...(listType === 'map' ? mapErrors(words, keys, path) : []),
    ...(items && (listType === 'map' || listType === 'set')
      ? itemErrors(items, listType, keys, child(path, 'items'))
      : []),
  ];
}

function wrongType(
  words: JSONSchemaProps,
  type: 'object' | 'array',
  word: 'x-kubernetes-map-type' | 'x-kubernetes-list-type',
  path: FieldPath,
): FieldError[] {
  if (words[word] === undefined || words.type === type) return [];
  const detail = `must be ${type} if ${word} is specified`;
  return [
    words.type
      ? invalidValue(child(path, 'type'), words.type, detail)
      : required(child(path, 'type'), detail),
  ];
}

/** Items of a set are compared as a whole. */
function setItemErrors(items: JSONSchemaProps, path: FieldPath): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  const mapType = items['x-kubernetes-map-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalidValue(child(path, 'x-kubernetes-list-type'), listType, detail)];
  if (items.type === 'object' && mapType !== 'atomic')
    return [invalidValue(child(path, 'x-kubernetes-map-type'), mapType, detail)];
  return [];
}

function mapErrors(words: JSONSchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const place = child(path, 'x-kubernetes-list-map-keys');
  const { items } = words;
  const errors: FieldError[] = [];
  if (keys.length === 0) errors.push(required(place, 'must not be empty if x-kubernetes-list-type is map'));
  const itemsPlace = child(path, 'items');
  if (items === undefined)
    return [...errors, required(itemsPlace, 'must have a schema if x-kubernetes-list-type is map')];
  if (Array.isArray(items))
    return [
      ...errors,
      invalidValue(itemsPlace, null, 'must only have a single schema if x-kubernetes-list-type is map'),
    ];
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return [...errors, invalidValue(child(itemsPlace, 'type'), items.type ?? '', detail)];
  }
  const isRepeat = repeats<string>();
  for (const key of keys) {
    const part = ownValue(items.properties, key);
    if (!part) errors.push(invalidValue(place, [...keys], 'entries must all be names of item properties'));
    else if (part.type === 'array' || part.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalidValue(child(at(child(itemsPlace, 'properties'), key), 'type'), items.type, detail));
    }
    if (isRepeat(key)) errors.push(invalidValue(place, [...keys], 'must not contain duplicate entries'));
  }
  return errors;
}

function itemErrors(
  items: JSONSchemaProps,
  listType: 'map' | 'set',
  keys: readonly string[],
  path: FieldPath,
): FieldError[] {
  const errors = items.nullable
    ? [
        forbiddenField(
          child(path, 'nullable'),
          `cannot be nullable when x-kubernetes-list-type is ${listType}`,
        ),
      ]
    : [];
  if (listType === 'set') return errors;
  for (const key of keys) {
    const part = ownValue(items.properties, key);
    const place = at(child(path, 'properties'), key);
    if (part && part.default === undefined && !items.required?.includes(key)) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(required(child(place, 'default'), detail));
    }
    if (part?.nullable) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(forbiddenField(child(place, 'nullable'), detail));
    }
  }
  return errors;
}
