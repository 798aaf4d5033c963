import type { KubeObject } from '@wherry/client';
import {
  ConformError,
  conform,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type MessageSchema,
  messageSchema,
  ownValue,
  schemaFor,
} from '@wherry/kubeapi';
import { sortedKeys } from '../output/json.ts';
import type { OutputFormat } from '../output/output-format.ts';

/** How an object is printed. */
export interface PrintedForm {
  output?: OutputFormat | undefined;
  /** Who manages which field too. */
  showManagedFields?: boolean | undefined;
  /** The command of kubectl has it in a type of Go: fields in their order there, and with the empty ones that such types print. */
  isTyped?: boolean | undefined;
}

/** An object as it is printed: in JSON and YAML without managers unless they are asked for, to templates and columns whole. */
export function printedObject<T extends KubeObject>(object: T, form: PrintedForm): T {
  const { output, showManagedFields, isTyped } = form;
  const isText = output === undefined || output === 'json' || output === 'yaml' || output === 'kyaml';
  if (!isText) return object;
  const shown = showManagedFields ? object : withoutManagers(object);
  return isTyped ? typed(shown) : (sortedKeys(shown) as T);
}

/** An object as it is shown unless somebody asks who manages which field. */
export function withoutManagers<T extends KubeObject>(object: T): T {
  const metadata = { ...object.metadata, managedFields: undefined };
  return { ...object, metadata };
}

/** As it is where Go would not take it, and in a list, where the server has it in that order. */
function typed<T extends KubeObject>(object: T): T {
  const { apiVersion = '', kind = '' } = object;
  if (kind === '') return object;
  const schema = schemaFor(apiVersion, kind);
  const sorted = sortedKeys(object) as JsonObject;
  if (!schema) return sorted as object as T;
  try {
    return withNulls(conform(sorted, schema).object, sorted, schema) as object as T;
  } catch (error) {
    if (error instanceof ConformError) return object;
    throw error;
  }
}

/** A list or map that Go prints though it is not there is null. */
function withNulls(made: JsonObject, given: JsonObject, { jsonFields }: MessageSchema): JsonObject {
  const entries = Object.entries(made).map(([name, value]): [string, JsonValue] => {
    const field = jsonFields.get(name);
    const before = ownValue(given, name) ?? undefined;
    if (field?.keep && field.shape !== 'single' && before === undefined) return [name, null];
    if (field?.message === undefined) return [name, value];
    const schema = messageSchema(field.message);
    const inner = (part: JsonValue, source: JsonValue | undefined): JsonValue =>
      isJsonObject(part) ? withNulls(part, isJsonObject(source) ? source : {}, schema) : part;
    if (field.shape === 'single') return [name, inner(value, before)];
    if (Array.isArray(value))
      return [name, value.map((part, at) => inner(part, Array.isArray(before) ? before[at] : undefined))];
    return [name, value];
  });
  return Object.fromEntries(entries);
}
