import { at, child, isJsonObject, type JsonObject, type JsonValue, ownValue } from '@wherry/kubeapi';

/**
 * Takes a document apart by the types of its fields. Throws an Error that names the field and never shows its value: that may
 * be a key.
 */
export class StrictReader {
  /** An object with no other fields than these; null is one without fields. */
  object(path: string, given: JsonValue | undefined, fields: readonly string[]): JsonObject {
    const value = given ?? {};
    if (!isJsonObject(value)) throw new Error(`${path === '' ? 'the document' : path} must be an object`);
    const unknown = Object.keys(value).find((name) => !fields.includes(name));
    if (unknown !== undefined) throw new Error(`unknown field ${JSON.stringify(child(path, unknown))}`);
    return value;
  }

  /** The items of a list with their paths; of nothing, none. */
  list(object: JsonObject, path: string, name: string): [path: string, value: JsonValue][] {
    const list = ownValue(object, name) ?? [];
    const here = child(path, name);
    if (!Array.isArray(list)) throw new Error(`${here} must be a list`);
    return list.map((value, index) => [at(here, index), value]);
  }

  text(path: string, value: JsonValue | undefined): string {
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string') throw new Error(`${path} must be a text`);
    return value;
  }

  /** True or false; where nothing stands, undefined. */
  flag(path: string, value: JsonValue | undefined): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw new Error(`${path} must be true or false`);
    return value;
  }

  /** A whole number; where nothing stands, 0. */
  integer(path: string, value: JsonValue | undefined): number {
    if (value === undefined || value === null) return 0;
    if (typeof value !== 'number' || !Number.isSafeInteger(value))
      throw new Error(`${path} must be a whole number`);
    return value;
  }
}
