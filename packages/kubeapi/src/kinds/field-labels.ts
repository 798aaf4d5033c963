/** Which fields a kind lets clients select by, beyond `metadata.name` and `metadata.namespace`. */
import type { GroupVersionKind } from '../generated/types.ts';
import { ownValue } from '../json/json-value.ts';
import { type FieldMatcher, fieldText } from '../selector/field-selector.ts';
import { badRequest } from '../status/status-errors.ts';
import { kindDefinition } from './index.ts';

/** A kind, whatever its version. */
type Kind = Pick<GroupVersionKind, 'group' | 'kind'>;

/** The fields that a kind offers. */
export function fieldLabelsOf(kind: Kind): string[] {
  return Object.keys(kindDefinition(kind)?.fieldLabels ?? {});
}

/** Throws upstream's 400 when the selector names a field that is not offered. */
export function checkFieldSelector(offered: readonly string[], matcher: FieldMatcher): void {
  for (const field of matcher.fields) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (!offered.includes(field)) throw badRequest(`field label not supported: ${field}`);
  }
}

/** The text of a selectable field of an object. */
export function selectableField(kind: Kind, object: object, field: string): string | undefined {
  const definition = kindDefinition(kind);
  const path = definition?.fieldPath?.(field, object) ?? field;
  return fieldText(object, path) ?? ownValue(definition?.fieldLabels, field);
}
