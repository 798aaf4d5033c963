/** Rules of definitions as a whole (upstream: apiextensions/validation). */

import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../json/json-value.ts';
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
import { dns1035Label, dnsSubdomain } from '../../validation/formats.ts';
import { immutable } from '../../validation/metadata.ts';
import { approvalErrors, approvalField, approvalOf } from './approval.ts';
import { type AllowedMistakes, allowedAtFirst, conversionErrors, mistakesOf } from './conversion-rules.ts';
import { defaultErrors } from './default-rules.ts';
import { ruleErrors } from './rule-costs.ts';
import { schemaErrors } from './schema-rules.ts';
import { isConvertible, structuralErrors } from './structural-rules.ts';
import { columnErrors, deprecationErrors, selectableErrors, subresourceErrors } from './version-rules.ts';

/** Violations in a definition. */
export function definitionErrors(
  { metadata, spec, status }: CustomResourceDefinition,
  allowed: AllowedMistakes = allowedAtFirst,
): FieldError[] {
  const { group, names, scope, versions = [] } = spec;
  const wanted = `${names.plural}.${group}`;
  const stored = versions.filter(({ storage }) => storage).length;
  const isUnique = new Set(versions.map(({ name }) => name)).size === versions.length;
  const every = versions as unknown as JsonValue;
  return [
    ...(metadata.name === wanted
      ? []
      : [invalidValue('metadata.name', metadata.name ?? '', 'must be spec.names.plural+"."+spec.group')]),
    ...groupErrors(group),
    ...(scope === '' ? [required('spec.scope')] : []),
    ...(scope !== '' && scope !== 'Cluster' && scope !== 'Namespaced'
      ? [notSupported('spec.scope', scope, ['Cluster', 'Namespaced'])]
      : []),
    ...versions.flatMap(({ name, schema }, index) => [
      ...(schema?.openAPIV3Schema
        ? []
        : [required(child(at('spec.versions', index), 'schema', 'openAPIV3Schema'))]),
      ...labelErrors(name, child(at('spec.versions', index), 'name')),
    ]),
    ...(isUnique ? [] : [invalidValue('spec.versions', every, 'must contain unique version names')]),
    ...(stored === 1
      ? []
      : [invalidValue('spec.versions', every, 'must have exactly one version marked as storage version')]),
    ...(['plural', 'singular', 'kind', 'listKind'] as const)
      .filter((key) => !names[key])
      .map((key) => required(`spec.names.${key}`)),
    ...nameErrors(names, 'spec.names'),
    ...versions.flatMap((version, index) =>
      deprecationErrors(version, child(at('spec.versions', index), 'deprecationWarning')),
    ),
    ...partErrors(spec),
    ...conversionErrors(spec.conversion, allowed),
    ...(spec.preserveUnknownFields
      ? [
          invalidValue(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
    ...storedVersionErrors(status?.storedVersions ?? [], versions),
    ...approvalErrors({ metadata, spec }),
  ];
}

/** Violations in a change of a definition. */
export function definitionChangeErrors(
  next: CustomResourceDefinition,
  previous: CustomResourceDefinition,
): FieldError[] {
  const isEstablished = previous.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  const isSameApproval = approvalOf(next) === approvalOf(previous);
  return [
    ...definitionErrors(next, mistakesOf(previous)).filter(
      ({ field }) => !isSameApproval || field !== approvalField,
    ),
    ...(isEstablished
      ? [
          ...immutable('spec.scope', next.spec.scope, previous.spec.scope),
          ...immutable('spec.names.kind', next.spec.names.kind, previous.spec.names.kind),
        ]
      : []),
    ...immutable('spec.group', next.spec.group, previous.spec.group),
    ...immutable('spec.names.plural', next.spec.names.plural, previous.spec.names.plural),
  ];
}

function groupErrors(group: string): FieldError[] {
  const place = 'spec.group';
  if (group === '') return [required(place)];
  const complaints = dnsSubdomain(group);
  if (complaints.length > 0) return [invalidValue(place, group, complaints.join(','))];
  return group.includes('.') ? [] : [invalidValue(place, group, 'should be a domain with at least one dot')];
}

function labelErrors(text: string, path: FieldPath, prefix = ''): FieldError[] {
  const complaints = dns1035Label(prefix === '' ? text : text.toLowerCase());
  return complaints.length === 0 ? [] : [invalidValue(path, text, `${prefix}${complaints.join(',')}`)];
}

/** Violations in names, be they asked for or given. */
export function nameErrors(names: CustomResourceDefinitionNames, path: FieldPath): FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names;
  const mixed = 'may have mixed case, but should otherwise match: ';
  return [
    ...(plural === '' ? [] : labelErrors(plural, child(path, 'plural'))),
    ...(singular === '' ? [] : labelErrors(singular, child(path, 'singular'))),
    ...(kind === '' ? [] : labelErrors(kind, child(path, 'kind'), mixed)),
    ...(listKind === '' ? [] : labelErrors(listKind, child(path, 'listKind'), mixed)),
    ...shortNames.flatMap((name, index) => labelErrors(name, at(child(path, 'shortNames'), index))),
    ...(kind !== '' && kind === listKind
      ? [invalidValue(child(path, 'listKind'), listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, index) => labelErrors(name, at(child(path, 'categories'), index))),
  ];
}

/** What all versions say alike is told of once, where it stood in the first API of definitions. */
function partErrors({ versions }: CustomResourceDefinitionSpec): FieldError[] {
  return [
    ...eachOrAll(versions, 'schema', 'validation', ({ schema, subresources }, path) =>
      schema?.openAPIV3Schema
        ? wholeSchemaErrors(schema.openAPIV3Schema, child(path, 'openAPIV3Schema'), {
            hasStatus: subresources?.status !== undefined,
          })
        : [],
    ),
    ...eachOrAll(versions, 'subresources', 'subresources', ({ subresources }, path) =>
      subresources ? subresourceErrors(subresources, path) : [],
    ),
    ...eachOrAll(versions, 'additionalPrinterColumns', 'additionalPrinterColumns', (version, path) =>
      columnErrors(version.additionalPrinterColumns ?? [], path),
    ),
    ...eachOrAll(versions, 'selectableFields', 'selectableFields', ({ selectableFields, schema }, path) =>
      selectableErrors(selectableFields ?? [], schema?.openAPIV3Schema, path),
    ),
  ];
}

function eachOrAll(
  versions: readonly CustomResourceDefinitionVersion[],
  key: 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields',
  shared: string,
  check: (version: CustomResourceDefinitionVersion, path: FieldPath) => FieldError[],
): FieldError[] {
  const partOf = (version: CustomResourceDefinitionVersion) =>
    version[key] as unknown as JsonValue | undefined;
  const [first] = versions;
  const isShared = first && versions.every((version) => jsonEqual(partOf(version), partOf(first)));
  if (isShared) return check(first, child('spec', shared));
  return versions.flatMap((version, index) => check(version, child(at('spec.versions', index), key)));
}

const rootWords = [
  ...['description', 'type', 'format', 'title', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'],
  ...['maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'multipleOf', 'required'],
  ...['items', 'properties', 'externalDocs', 'example', 'x-kubernetes-preserve-unknown-fields'],
  'x-kubernetes-validations',
];

function wholeSchemaErrors(
  words: JSONSchemaProps,
  path: FieldPath,
  { hasStatus }: { hasStatus: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  if (hasStatus && words.type !== undefined && words.type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.push(invalidValue(child(path, 'type'), words.type, detail));
  }
  const stray = Object.keys(words).find((word) => !rootWords.includes(word));
  if (hasStatus && stray) {
    const detail = `only ${rootWords.join(', ')} are allowed at the root of the schema if the status subresource is enabled`;
    errors.push(invalidValue(path, stray, detail));
  }
  if (words.nullable)
    errors.push(forbiddenField(child(path, 'nullable'), 'nullable cannot be true at the root'));
  let isStructural = false;
  if (isConvertible(words)) {
    const structural = structuralErrors(words, path);
    const wrong = structural.length > 0 ? structural : defaultErrors(words, path, { isRoot: true });
    isStructural = wrong.length === 0;
    for (const error of wrong) errors.push(error);
  }
  const ofSchema = schemaErrors(words, path, { isRoot: true, isInMeta: false, noDefaults: undefined });
  // What rules say of a schema in error would be of no use.
  const ofRules = isStructural && ofSchema.length === 0 ? ruleErrors(words, path) : [];
  return [...errors, ...ofSchema, ...ofRules];
}

function storedVersionErrors(
  stored: readonly string[],
  versions: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  const place = 'status.storedVersions';
  if (stored.length === 0) return [invalidValue(place, [], 'must have at least one stored version')];
  const missing = versions.find(({ storage, name }) => storage && !stored.includes(name));
  const strays = [...stored.entries()].filter(
    ([, name]) => !versions.some((version) => version.name === name),
  );
  return [
    ...(missing ? [invalidValue(place, [...stored], `must have the storage version ${missing.name}`)] : []),
    ...strays.map(([index, name]) =>
      invalidValue(
        at(place, index),
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ];
}
