/** What Go's converter says of a value of the wrong type, in place of its JSON decoder (apimachinery pkg/runtime/converter.go). */
import { isNumber, isWhole, type JsonValue } from '../json/json-value.ts';
import type { ScalarType } from './schema.ts';

/** As Go has a value that was read without a schema. */
function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'slice';
  if (isNumber(value)) return isWhole(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : 'map';
}

/** `cannot restore map from string`. */
export const notRestored = (what: 'map' | 'slice' | 'struct:', value: JsonValue) =>
  `cannot restore ${what.replace(':', '')} from${what.endsWith(':') ? ':' : ''} ${goKind(value)}`;

const goTypes: Partial<Record<ScalarType, string>> = {
  ...{ string: 'string', bool: 'bool', int32: 'int32', int64: 'int64', double: 'float64' },
};

/** Of a leaf; undefined of types that read themselves, for which the decoder is asked. */
export function notConverted(value: JsonValue, scalar: ScalarType): string | undefined {
  if (scalar === 'bytes' || scalar === 'Strings') return notRestored('slice', value);
  const type = goTypes[scalar];
  if (type === undefined) return undefined;
  // Go turns numbers into each other and into texts, which JSON does not.
  return isNumber(value) && type !== 'bool'
    ? `cannot convert ${goKind(value)} to ${type}`
    : `unrecognized type: ${type}`;
}
