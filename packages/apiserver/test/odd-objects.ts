import type { FieldSchema, MessageSchema } from '@wherry/kubeapi';
import { messageSchema } from '@wherry/kubeapi';

const depthMax = 7;

/** What stands in scalar fields of {@link oddObject}. */
export interface OddValues {
  text: string;
  number: number;
  flag: boolean;
}

/** An object of a kind in which every field is there, each list and map with one entry, whether it makes sense or not. */
export function oddObject(schema: MessageSchema, values: OddValues, depth = 0): Record<string, unknown> {
  const entries = [...schema.jsonFields.values()].map((field) => [
    field.name,
    shaped(field, valueAt(field, values, depth), values),
  ]);
  return Object.fromEntries(entries);
}

function shaped({ shape }: FieldSchema, value: unknown, { text }: OddValues): unknown {
  if (shape === 'list') return [value];
  return shape === 'map' ? { [text]: value } : value;
}

function valueAt({ message, scalar }: FieldSchema, values: OddValues, depth: number): unknown {
  if (message !== undefined)
    return depth < depthMax ? oddObject(messageSchema(message), values, depth + 1) : {};
  switch (scalar) {
    case 'bool':
      return values.flag;
    case 'int32':
    case 'int64':
    case 'double':
    case 'IntOrString':
      return values.number;
    case 'Quantity':
      return String(values.number);
    case 'Strings':
      return [values.text];
    case 'Time':
    case 'MicroTime':
      return '2020-01-01T00:00:00Z';
    case 'RawExtension':
    case 'FieldsV1':
    case 'Any':
      return {};
    default:
      return values.text;
  }
}
