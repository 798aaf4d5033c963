/** Violations in lists and maps with bounds: of what is longer nothing is looked at (upstream: validateSlice, validateSet, validateMap). */

import { at, duplicate, type FieldError, type FieldPath, tooMany } from '../../status/field-error.ts';
import { repeats } from '../../validation/repeats.ts';

/** Violations in each item of a list of at most `most`. */
export function validateList<T>(
  field: FieldPath,
  list: readonly T[] = [],
  most: number,
  validateItem: (item: T, place: FieldPath) => FieldError[],
): FieldError[] {
  if (list.length > most) return [tooMany(field, list.length, most)];
  return list.flatMap((item, index) => validateItem(item, at(field, index)));
}

/** How many items a set may have, what holds for each, and what no two have alike. */
export interface SetRules<T> {
  most: number;
  validateItem: (item: T, place: FieldPath) => FieldError[];
  keyOf: (item: T) => string;
}

/** Violations in a list in which nothing stands twice. */
export function validateSet<T>(
  field: FieldPath,
  list: readonly T[] = [],
  { most, validateItem, keyOf }: SetRules<T>,
): FieldError[] {
  if (list.length > most) return [tooMany(field, list.length, most)];
  const isRepeat = repeats<string>();
  return [
    ...list.flatMap((item, index) => validateItem(item, at(field, index))),
    ...list.flatMap((item, index) => {
      const key = keyOf(item);
      return isRepeat(key) ? [duplicate(at(field, index), key)] : [];
    }),
  ];
}

/** How many entries a map may have, how much of a key is shown, and what holds for keys and values. */
export interface MapRules<T> {
  most?: number;
  shownKeyBytes: number;
  validateKey: (key: string, place: FieldPath) => FieldError[];
  validateValue?: (value: T, place: FieldPath) => FieldError[];
}

/** Violations in a map: those of keys are told of the map, those of values of their entry. */
export function validateEntries<T>(
  field: FieldPath,
  map: Readonly<Record<string, T>> = {},
  { most = Number.POSITIVE_INFINITY, shownKeyBytes, validateKey, validateValue = () => [] }: MapRules<T>,
): FieldError[] {
  const entries = Object.entries(map);
  if (entries.length > most) return [tooMany(field, entries.length, most)];
  return entries.flatMap(([key, value]) => [
    ...validateKey(key, field),
    ...validateValue(value, at(field, shortened(key, shownKeyBytes))),
  ]);
}

/** A key without its middle, where it is longer than keys may be. */
function shortened(key: string, most: number): string {
  if (key.length <= most) return key;
  const shown = most - '...'.length;
  return `${key.slice(0, Math.ceil(shown / 2))}...${key.slice(key.length - Math.floor(shown / 2))}`;
}
