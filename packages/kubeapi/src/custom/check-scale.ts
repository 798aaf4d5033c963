/** What a custom resource's scale is made of: two numbers of replicas and a selector (upstream: registry/customresource). */

import type { CustomResourceSubresourceScale } from '../generated/types.ts';
import { goText } from '../json/go-json.ts';
import {
  isJsonObject,
  isNumber,
  isWhole,
  type JsonObject,
  type JsonValue,
  ownValue,
} from '../json/json-value.ts';
import { type FieldError, invalidValue } from '../status/field-error.ts';

const replicasMax = 2_147_483_647;

/** What is wrong with the number of replicas that is wanted. */
export function checkScaleSpec(object: JsonObject, scale: CustomResourceSubresourceScale): FieldError[] {
  return checkCount(object, scale.specReplicasPath);
}

/** What is wrong with the number of those that are there, and with the selector of them. */
export function checkScaleStatus(object: JsonObject, scale: CustomResourceSubresourceScale): FieldError[] {
  const { statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...checkCount(object, statusReplicasPath),
    ...(labelSelectorPath === undefined ? [] : checkSelector(object, labelSelectorPath)),
  ];
}

function checkCount(object: JsonObject, path: string): FieldError[] {
  const { value, odd } = find(object, path);
  if (odd) return [invalidValue(path, 0, odd)];
  if (value === undefined) return [];
  if (!isNumber(value) || !isWhole(value))
    return [invalidValue(path, 0, unlike(namesOf(path), value, 'int64'))];
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  return value > replicasMax
    ? [invalidValue(path, value, `should be less than or equal to ${replicasMax}`)]
    : [];
}

function checkSelector(object: JsonObject, path: string): FieldError[] {
  const { value, odd } = find(object, path);
  if (odd) return [invalidValue(path, '', odd)];
  if (value === undefined || typeof value === 'string') return [];
  return [invalidValue(path, '', unlike(namesOf(path), value, 'string'))];
}

const namesOf = (path: string) => path.replace(/^\./, '').split('.');

/** What stands at a path, or in words what stands in its way. */
function find(object: JsonObject, path: string): { value?: JsonValue | undefined; odd?: string } {
  const names = namesOf(path);
  let value: JsonValue | undefined = object;
  for (const [index, name] of names.entries()) {
    if (value === null || value === undefined) return {};
    if (!isJsonObject(value))
      return { odd: unlike(names.slice(0, index + 1), value, 'map[string]interface{}') };
    value = ownValue(value, name);
  }
  return { value };
}

const unlike = (names: readonly string[], value: JsonValue, wanted: string) =>
  `.${names.join('.')} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${wanted}`;

function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (isNumber(value)) return isWhole(value) ? 'int64' : 'float64';
  return typeof value === 'string' ? 'string' : 'map[string]interface {}';
}
