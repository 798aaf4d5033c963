/** Which fields a kind lets clients select by, beyond `metadata.name` and `metadata.namespace`. */
import type { GroupVersionKind } from '../generated/types.ts';
import { ownValue } from '../json/json-value.ts';
import type { ObjectType } from '../object-type.ts';
import { findResourceOfKind } from '../schema/resources.ts';
import { type FieldMatcher, fieldText } from '../selector/field-selector.ts';
import { badRequest } from '../status/status-errors.ts';
import { kindDefinition } from './index.ts';

/** A kind, whatever its version. */
type Kind = Pick<GroupVersionKind, 'group' | 'kind'>;

/** The fields that a kind offers. */
export function fieldLabelsOf(kind: Kind): string[] {
  return Object.keys(kindDefinition(kind)?.fieldLabels ?? {});
}

/** Throws upstream's 400 when the selector names a field that is not offered, in the words that the kind has for it. */
export function checkFieldSelector(
  { gvk, schema, fieldLabels }: Pick<ObjectType, 'gvk' | 'schema' | 'fieldLabels'>,
  matcher: FieldMatcher,
): void {
  const isPlain = schema !== undefined && fieldLabels.length === 0;
  const hasNamespace = schema === undefined || isPlain || findResourceOfKind(gvk)?.namespaced === true;
  for (const field of matcher.fields) {
    if (field === 'metadata.name' || (field === 'metadata.namespace' && hasNamespace)) continue;
    if (!fieldLabels.includes(field))
      throw badRequest(isPlain ? unknownField(field) : unsupported(field, gvk));
  }
}

const unknownField = (field: string) =>
  `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;

function unsupported(field: string, gvk: GroupVersionKind): string {
  return kindDefinition(gvk)?.unselectable?.(field, gvk.version) ?? `field label not supported: ${field}`;
}

/** The text of a selectable field of an object. */
export function selectableField(kind: Kind, object: object, field: string): string | undefined {
  const definition = kindDefinition(kind);
  const path = definition?.fieldPath?.(field, object) ?? field;
  return fieldText(object, path) ?? ownValue(definition?.fieldLabels, field);
}
