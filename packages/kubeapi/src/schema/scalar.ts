/** The leaves of the schema: what JSON may say for each scalar type, and how it is written canonically. */
import { isJsonObject, isNumber, type JsonValue } from '../json/json-value.ts';
import { readByteList } from '../values/byte-list.ts';
import { canonicalQuantity, QuantityError } from '../values/quantity.ts';
import { canonicalMicroTime, canonicalTime } from '../values/time.ts';
import type { FieldSchema, ScalarType } from './schema.ts';

/**
 * The canonical value; or what is wrong with a value of the right type; or neither: the type is wrong, of the whole or of the
 * named item of a list of bytes.
 */
export type ScalarAnswer =
  | { value: JsonValue }
  | { complaint: string }
  | { mismatch: true; oddByte?: JsonValue };

const wrongType: ScalarAnswer = { mismatch: true };
const int32Max = 2 ** 31 - 1;

/** Checks one JSON value against a scalar type. */
export function conformScalar(value: JsonValue, type: ScalarType): ScalarAnswer {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? { value } : wrongType;
    case 'bool':
      return typeof value === 'boolean' ? { value } : wrongType;
    case 'int32':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= int32Max
        ? { value }
        : wrongType;
    case 'int64':
      return Number.isSafeInteger(value) ? { value } : wrongType;
    case 'double':
      return isNumber(value) ? { value: Number(value) } : wrongType;
    case 'Strings':
      return Array.isArray(value) && value.every((item) => typeof item === 'string') ? { value } : wrongType;
    case 'RawExtension':
    case 'FieldsV1':
      return isJsonObject(value) ? { value } : wrongType;
    case 'Any':
      return { value };
    case 'bytes':
      return conformBytes(value);
    default:
      return conformText(value, type);
  }
}

type TextType = 'Time' | 'MicroTime' | 'Duration' | 'Quantity' | 'IntOrString';

function conformText(value: JsonValue, type: TextType): ScalarAnswer {
  if (type === 'IntOrString') {
    if (typeof value === 'string') return { value };
    return conformScalar(value, 'int32');
  }
  if (type === 'Quantity') return conformQuantity(value);
  if (typeof value !== 'string') return wrongType;
  if (type === 'Time') return conformTime(value, canonicalTime(value), '2006-01-02T15:04:05Z07:00');
  if (type === 'MicroTime')
    return conformTime(value, canonicalMicroTime(value), '2006-01-02T15:04:05.000000Z07:00');
  return { value };
}

function conformQuantity(value: JsonValue): ScalarAnswer {
  if (typeof value !== 'string' && !isNumber(value)) return wrongType;
  try {
    return { value: canonicalQuantity(String(value)) };
  } catch (error) {
    if (error instanceof QuantityError) return { complaint: error.message };
    throw error;
  }
}

function conformBytes(value: JsonValue): ScalarAnswer {
  if (typeof value === 'string') return conformBase64(value);
  if (!Array.isArray(value)) return wrongType;
  const read = readByteList(value);
  return 'odd' in read ? { mismatch: true, oddByte: read.odd } : { value: read.base64 };
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function conformBase64(value: string): ScalarAnswer {
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, '') : value;
  if (base64.test(text)) return { value: text };
  const good = /^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{0,3}/.exec(value)?.[0].length ?? 0;
  return { complaint: `illegal base64 data at input byte ${good}` };
}

function conformTime(text: string, canonical: string | undefined, layout: string): ScalarAnswer {
  if (canonical !== undefined) return { value: canonical };
  const quoted = JSON.stringify(text);
  const problem = fractionProblem(text, layout) ?? `${quoted} as "2006"`;
  return { complaint: `parsing time ${quoted} as "${layout}": cannot parse ${problem}` };
}

/** Where a time that is right but for the digits behind its second goes wrong. */
function fractionProblem(text: string, layout: string): string | undefined {
  const [, exact, rest = ''] = /T\d\d?:\d\d:\d\d([.,]\d{6})?(.*)$/s.exec(text) ?? [];
  if (!layout.includes('.') || canonicalTime(text) === undefined) return undefined;
  return `${JSON.stringify(rest)} as ${exact ? '"Z07:00"' : '".000000"'}`;
}

/** What the type's zero value prints as; undefined where it is left out. */
export function zeroScalar(type: ScalarType): JsonValue | undefined {
  switch (type) {
    case 'string':
    case 'bytes':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'IntOrString':
      return 0;
    case 'Quantity':
      return '0';
    case 'Duration':
      return '0s';
    case 'Strings':
      return [];
    default:
      return undefined;
  }
}

const goNames: Record<ScalarType, string> = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
  bytes: '[]uint8',
  Time: 'string',
  MicroTime: 'string',
  Duration: 'string',
  Quantity: 'resource.Quantity',
  IntOrString: 'intstr.IntOrString',
  Strings: '[]string',
  RawExtension: 'runtime.RawExtension',
  FieldsV1: 'v1.FieldsV1',
  Any: 'interface {}',
};

/** The type as Go's errors name it: `[]v1.Container`, `map[string]string`. */
export function goTypeName(field: FieldSchema): string {
  const element = field.scalar
    ? field.enumName
      ? `v1.${field.enumName}`
      : goNames[field.scalar]
    : `v1.${field.message}`;
  if (field.shape === 'list') return `[]${element}`;
  return field.shape === 'map' ? `map[string]${element}` : element;
}
