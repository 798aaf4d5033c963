/** Which fields a kind lets clients select by, beyond `metadata.name` and `metadata.namespace`. */
import type { GroupVersionKind } from '../generated/types.ts';
import { ownValue } from '../json-value.ts';
import { type FieldMatcher, fieldText } from '../selector/field-selector.ts';
import { badRequest } from '../status-errors.ts';
import { kindDefinition } from './index.ts';

/** A kind, whatever its version. */
type Kind = Pick<GroupVersionKind, 'group' | 'kind'>;

/** Throws upstream's 400 when the selector names a field that the kind does not offer. */
export function checkFieldSelector(kind: Kind, matcher: FieldMatcher): void {
  const offered = kindDefinition(kind)?.fieldLabels ?? {};
  for (const field of matcher.fields) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (!Object.hasOwn(offered, field)) throw badRequest(`field label not supported: ${field}`);
  }
}

/** The text of a selectable field of an object. */
export function selectableField(kind: Kind, object: object, field: string): string | undefined {
  const definition = kindDefinition(kind);
  const path = definition?.fieldPath?.(field, object) ?? field;
  return fieldText(object, path) ?? ownValue(definition?.fieldLabels, field);
}
