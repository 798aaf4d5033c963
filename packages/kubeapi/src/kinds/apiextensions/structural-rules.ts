/** What makes a schema structural, so that objects can be pruned and completed by it (upstream: apiserver/schema). */

import type { JSONSchemaProps } from '../../generated/types.ts';
import { type JsonValue, jsonEqual, ownValue } from '../../json/json-value.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  required,
} from '../../status/field-error.ts';
import { patternComplaint } from '../../values/pattern.ts';

type Level = 'root' | 'item' | 'field';

/** Violations in a schema; those of words that no structural schema has are not among them. */
export function structuralErrors(words: JSONSchemaProps, path: FieldPath): FieldError[] {
  return [...invariants(words, 'root', path), ...completeness(words, words, path, path)];
}

/** True where each part is one that a structural schema may have at all. */
export function isConvertible(words: JSONSchemaProps): boolean {
  const { $ref, id, additionalItems, definitions, dependencies, items, patternProperties } = words;
  const isPlain =
    [$ref, id || undefined, additionalItems, definitions, dependencies, patternProperties].every(
      (value) => value === undefined,
    ) && !Array.isArray(items);
  return isPlain && partsOf(words).every(isConvertible);
}

/** All schemas that stand directly in another one. */
export function partsOf(words: JSONSchemaProps): JSONSchemaProps[] {
  const { additionalProperties, items, not, properties = {}, allOf = [], anyOf = [], oneOf = [] } = words;
  return [
    ...Object.values(properties),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(Array.isArray(items) ? items : items ? [items] : []),
    ...(not ? [not] : []),
    ...[...allOf, ...anyOf, ...oneOf],
  ];
}

function invariants(words: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const { additionalProperties, items, properties = {}, type = '' } = words;
  const isEmbedded = words['x-kubernetes-embedded-resource'] === true;
  const hasMetadata = level === 'root' || isEmbedded;
  const place = (name: string) => at(child(path, 'properties'), name);
  const { kind, apiVersion, metadata } = properties;
  return [
    ...(type === 'array' && !items ? [required(child(path, 'items'), 'must be specified')] : []),
    ...(items && !Array.isArray(items) ? invariants(items, 'item', child(path, 'items')) : []),
    ...Object.entries(properties).flatMap(([name, part]) => invariants(part, 'field', place(name))),
    ...additionalErrors(additionalProperties, { level, isEmbedded }, child(path, 'additionalProperties')),
    ...extensionErrors(words, path),
    ...valueErrors(words, path, {
      skipsAnyOf: isIntOrString(words.anyOf),
      skipsFirstAllOf: isIntOrString(words.allOf?.[0]?.anyOf),
    }),
    ...typeErrors(words, level, path),
    ...(hasMetadata && kind && kind.type !== 'string'
      ? [invalidValue(child(place('kind'), 'type'), kind.type ?? '', 'must be string')]
      : []),
    ...(hasMetadata && apiVersion && apiVersion.type !== 'string'
      ? [invalidValue(child(place('apiVersion'), 'type'), apiVersion.type ?? '', 'must be string')]
      : []),
    ...(metadata && hasMetadata ? metadataErrors(metadata, level, place('metadata')) : []),
    ...(isEmbedded && !words['x-kubernetes-preserve-unknown-fields'] && Object.keys(properties).length === 0
      ? [
          required(
            child(path, 'properties'),
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]
      : []),
  ];
}

function additionalErrors(
  additional: JSONSchemaProps['additionalProperties'],
  { level, isEmbedded }: { level: Level; isEmbedded: boolean },
  path: FieldPath,
): FieldError[] {
  if (additional === undefined) return [];
  return [
    ...(level === 'root' ? [forbiddenField(path, 'must not be used at the root')] : []),
    ...(typeof additional === 'object' ? invariants(additional, 'field', path) : []),
    ...(isEmbedded
      ? [forbiddenField(path, 'must not be used if x-kubernetes-embedded-resource is set')]
      : []),
  ];
}

function typeErrors(words: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const { type = '' } = words;
  const place = child(path, 'type');
  if (words['x-kubernetes-embedded-resource'] && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    return [type === '' ? required(place, detail) : invalidValue(place, type, detail)];
  }
  const isFree = words['x-kubernetes-int-or-string'] || words['x-kubernetes-preserve-unknown-fields'];
  if (type === '' && !isFree) {
    const where = {
      root: 'at the root',
      item: 'for specified array items',
      field: 'for specified object fields',
    };
    return [required(place, `must not be empty ${where[level]}`)];
  }
  const isAstray = level === 'root' && type !== '' && type !== 'object';
  return isAstray ? [invalidValue(place, type, 'must be object at the root')] : [];
}

/** Of the whole object's metadata no more may be said than of its name. */
function metadataErrors(metadata: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const errors =
    metadata.type === 'object'
      ? []
      : [invalidValue(child(path, 'type'), metadata.type ?? '', 'must be object')];
  if (level !== 'root') return errors;
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const isMore = Object.keys(properties).some((name) => name !== 'name' && name !== 'generateName');
  const values = new Set<string>(valueWords);
  const others =
    Object.entries(rest).some(([word, value]) => value !== false && !values.has(word)) || hasValueWords(rest);
  if (!isMore && !others) return errors;
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [...errors, forbiddenField(path, detail)];
}

const valueWords = [
  ...['format', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength'],
  ...['pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'enum', 'maxProperties'],
  ...['minProperties', 'required', 'allOf', 'anyOf', 'oneOf', 'not'],
] as const;

const hasValueWords = (words: JSONSchemaProps) => valueWords.some((word) => words[word] !== undefined);

function extensionErrors(words: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (!words['x-kubernetes-int-or-string']) return [];
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((word) => words[word])
    .map((word) => invalidValue(child(path, word), true, detail));
}

function isIntOrString(anyOf: readonly JSONSchemaProps[] = []): boolean {
  return jsonEqual(anyOf as unknown as JsonValue, [{ type: 'integer' }, { type: 'string' }]);
}

interface Skips {
  skipsAnyOf?: boolean;
  skipsFirstAllOf?: boolean;
}

function valueErrors(words: JSONSchemaProps, path: FieldPath, skips: Skips): FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not, pattern } = words;
  const complaint = pattern ? patternComplaint(pattern) : undefined;
  const nested = (list: JSONSchemaProps[], name: string, skipsFirst = false) =>
    list.flatMap((part, index) =>
      nestedErrors(part, at(child(path, name), index), { skipsAnyOf: skipsFirst && index === 0 }),
    );
  return [
    ...(skips.skipsAnyOf ? [] : nested(anyOf, 'anyOf')),
    ...nested(allOf, 'allOf', skips.skipsFirstAllOf),
    ...nested(oneOf, 'oneOf'),
    ...(not ? nestedErrors(not, child(path, 'not'), {}) : []),
    ...(complaint
      ? [
          invalidValue(
            child(path, 'pattern'),
            pattern,
            `must be a valid regular expression, but isn't: ${complaint}`,
          ),
        ]
      : []),
  ];
}

/** What may only be said outside of `allOf` and its like, and how that is told. */
const outsideWords = {
  type: 'must be empty',
  default: 'must be undefined',
  title: 'must be empty',
  description: 'must be empty',
  nullable: 'must be false',
  'x-kubernetes-preserve-unknown-fields': 'must be false',
  'x-kubernetes-embedded-resource': 'must be false',
  'x-kubernetes-int-or-string': 'must be false',
  'x-kubernetes-list-map-keys': 'must be empty',
  'x-kubernetes-list-type': 'must be undefined',
  'x-kubernetes-map-type': 'must be undefined',
  'x-kubernetes-validations': 'must be empty',
} as const;

function nestedErrors(words: JSONSchemaProps, path: FieldPath, skips: Skips): FieldError[] {
  const { additionalProperties, items, properties = {} } = words;
  const place = (name: string) => at(child(path, 'properties'), name);
  return [
    ...valueErrors(words, path, skips),
    ...(items && !Array.isArray(items) ? nestedErrors(items, child(path, 'items'), {}) : []),
    ...Object.entries(properties).flatMap(([name, part]) => nestedErrors(part, place(name), {})),
    ...(additionalProperties
      ? [forbiddenField(child(path, 'additionalProperties'), 'must be undefined to be structural')]
      : []),
    ...Object.entries(outsideWords)
      .filter(([word]) => Object.hasOwn(words, word))
      .map(([word, how]) => forbiddenField(child(path, word), `${how} to be structural`)),
    ...(Object.hasOwn(properties, 'metadata')
      ? [forbiddenField(place('metadata'), 'must not be specified in a nested context')]
      : []),
  ];
}

/** Whatever a condition speaks of must be there outside of conditions too. */
function completeness(
  words: JSONSchemaProps,
  whole: JSONSchemaProps | undefined,
  wholePath: FieldPath,
  path: FieldPath,
): FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = words;
  const all = [
    ...(not ? [{ part: not, place: child(path, 'not') }] : []),
    ...Object.entries({ allOf, anyOf, oneOf }).flatMap(([name, list]) =>
      list.map((part, index) => ({ part, place: at(child(path, name), index) })),
    ),
  ];
  return all.flatMap(({ part, place }) => nestedCompleteness(part, whole, wholePath, place));
}

function nestedCompleteness(
  words: JSONSchemaProps,
  whole: JSONSchemaProps | undefined,
  wholePath: FieldPath,
  path: FieldPath,
): FieldError[] {
  if (!whole) return [required(wholePath, `because it is defined in ${path}`)];
  const { items, properties = {} } = words;
  const wholeItems = Array.isArray(whole.items) ? undefined : whole.items;
  return [
    ...completeness(words, whole, wholePath, path),
    ...(items && !Array.isArray(items)
      ? nestedCompleteness(items, wholeItems, child(wholePath, 'items'), child(path, 'items'))
      : []),
    ...Object.entries(properties).flatMap(([name, part]) => {
      const wholePart = ownValue(whole.properties, name);
      const place = at(child(wholePath, 'properties'), name);
      return nestedCompleteness(part, wholePart, place, at(child(path, 'properties'), name));
    }),
  ];
}
