/** Reads what a file of configuration says, strictly: as Go's JSON decoder into a struct that knows its fields. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue, setOwn } from '@wherry/kubeapi';
import { KustomizeError } from '../errors.ts';

/** What a value has to be. */
export type Shape =
  | 'any'
  | 'string'
  | 'bool'
  | 'int'
  | { list: Shape }
  | { values: Shape }
  | { fields: Readonly<Record<string, Shape>>; type: string };

/** The value with its fields spelled as the shape has them; nulls are left out. Throws KustomizeError. */
export function shaped(value: JsonValue, shape: Shape, strict = true, path = ''): JsonValue | undefined {
  if (value === null) return undefined;
  if (shape === 'any') return value;
  if (typeof shape === 'string') return plain(value, shape, path);
  if ('list' in shape) {
    if (!Array.isArray(value)) throw mismatch(value, path, 'array');
    return value.map((item) => shaped(item, shape.list, strict, path) ?? emptyOf(shape.list));
  }
  if (!isJsonObject(value)) throw mismatch(value, path, 'values' in shape ? 'map' : shape.type);
  const result: JsonObject = {};
  for (const [key, part] of Object.entries(value)) {
    const [name, inner] = 'values' in shape ? [key, shape.values] : fieldShape(shape.fields, key);
    if (inner === undefined) {
      if (strict) throw new KustomizeError(`json: unknown field ${JSON.stringify(key)}`);
      continue;
    }
    const owner = 'fields' in shape && path === '' ? `${shape.type}.` : path === '' ? '' : `${path}.`;
    const read = shaped(part, inner, strict, `${owner}${name}`);
    if (read !== undefined) setOwn(result, name, read);
    else if ('values' in shape) setOwn(result, name, emptyOf(inner));
  }
  return result;
}

/** Go finds fields without regard to upper and lower case. */
function fieldShape(fields: Readonly<Record<string, Shape>>, key: string): [string, Shape | undefined] {
  const own = ownValue(fields, key);
  if (own !== undefined) return [key, own];
  const [found = [key, undefined]] = Object.entries(fields).filter(
    ([name]) => name.toLowerCase() === key.toLowerCase(),
  );
  return found as [string, Shape | undefined];
}

function plain(value: JsonValue, shape: 'string' | 'bool' | 'int', path: string): JsonValue {
  if (shape === 'string' && typeof value === 'string') return value;
  if (shape === 'bool' && typeof value === 'boolean') return value;
  if (shape === 'int' && typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw mismatch(value, path, shape);
}

function emptyOf(shape: Shape): JsonValue {
  if (shape === 'string') return '';
  if (shape === 'bool') return false;
  if (shape === 'int') return 0;
  if (shape === 'any') return null;
  return 'list' in shape ? [] : {};
}

function mismatch(value: JsonValue, path: string, type: string): KustomizeError {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return new KustomizeError(`json: cannot unmarshal ${kind} into Go struct field ${path} of type ${type}`);
}
