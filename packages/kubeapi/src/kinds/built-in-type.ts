/** The types of the kinds that the schema knows. */
import { messageNode } from '../apply/node.ts';
import type { GroupVersionKind } from '../generated/types.ts';
import type { ObjectType } from '../object-type.ts';
import { conform } from '../schema/conform.ts';
import { schemaOfKind } from '../schema/schema.ts';
import { applyDefaults } from './defaults.ts';
import { fieldLabelsOf, selectableField } from './field-labels.ts';
import { printerOf } from './table.ts';
import { validateCreate, validateUpdate } from './validate.ts';

const builtIn = new Map<string, ObjectType>();

/** The type of a kind that the schema knows. Throws on another one (a mistake of the caller's). */
export function builtInType(gvk: GroupVersionKind): ObjectType {
  const { group, version, kind } = gvk;
  const key = `${group}/${version}/${kind}`;
  let type = builtIn.get(key);
  if (!type) {
    type = makeType({ group, version, kind });
    builtIn.set(key, type);
  }
  return type;
}

function makeType(gvk: GroupVersionKind): ObjectType {
  const schema = schemaOfKind(gvk);
  if (!schema) throw new Error(`the schema has no ${gvk.kind} of ${gvk.group}/${gvk.version}`);
  return {
    gvk,
    schema,
    read: (value) => conform(value, schema),
    setDefaults: (object) => applyDefaults(object, schema),
    checkNew: (object) => validateCreate(gvk, object),
    checkChange: (next, previous, subresource) => validateUpdate(gvk, next, previous, subresource),
    printer: printerOf(gvk),
    fieldLabels: fieldLabelsOf(gvk),
    fieldText: (object, label) => selectableField(gvk, object, label),
    node: messageNode(schema),
  };
}
