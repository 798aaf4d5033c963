/** Bounds of numbers, lengths and counts, patterns and formats. */

import { hasFormat, isRecognizedFormat } from '../formats/schema-formats.ts';
import type { JSONSchemaProps } from '../generated/types.ts';
import { isJsonObject, isNumber, isWhole, type JsonValue } from '../json/json-value.ts';
import { type FieldError, invalidValue, tooLong, tooMany } from '../status/field-error.ts';
import type { StructuralSchema } from './structural-schema.ts';

/** Violations of what a schema says of a value that is no null, apart from its parts. */
export function checkLeaf(value: JsonValue, schema: StructuralSchema, path: string): FieldError[] {
  if (typeof value === 'string') return checkText(value, schema, path);
  if (isNumber(value)) return [...checkRange(value, schema, path), ...checkNumber(value, schema.words, path)];
  if (Array.isArray(value)) return checkCount(value.length, schema.words, path);
  return isJsonObject(value) ? checkSize(Object.keys(value).length, schema.words, path) : [];
}

function checkText(text: string, schema: StructuralSchema, path: string): FieldError[] {
  const { words, format } = schema;
  const errors = checkLength(text, schema, path);
  if (format && !hasFormat(text, format)) {
    const detail = `${path} in body must be of type ${words.format}: ${JSON.stringify(text)}`;
    errors.push({ ...invalidValue(path, text, detail), type: 'FieldValueTypeInvalid' });
  }
  return errors;
}

/** The first of what is wrong. */
function checkLength(text: string, { words, pattern }: StructuralSchema, path: string): FieldError[] {
  const { maxLength, minLength } = words;
  const isMeasured = maxLength !== undefined || minLength !== undefined;
  const length = isMeasured ? [...text].length : 0;
  if (maxLength !== undefined && length > maxLength) return [tooLong(path, maxLength)];
  if (minLength !== undefined && length < minLength)
    return [invalidValue(path, text, `${path} in body should be at least ${minLength} chars long`)];
  if (!pattern || pattern.matches(text)) return [];
  return [invalidValue(path, text, `${path} in body should match '${pattern.text}'`)];
}

/** A number must be one that its type and format can hold. */
function checkRange(value: number | bigint, { types, words }: StructuralSchema, path: string): FieldError[] {
  const [type] = types;
  const { format = '' } = words;
  if (types.length !== 1 || (type !== 'integer' && type !== 'number')) return [];
  const isHeld =
    type === 'integer'
      ? isWhole(value) && isWithinBits(value, format === 'int32' ? 32 : 64)
      : format !== 'float' || Number.isFinite(Math.fround(Number(value)));
  if (isHeld) return [];
  const how = format !== '' && isRecognizedFormat(words) ? `with format ${format}` : '(default format)';
  return [invalidValue('<nil>', '', `Checked value must be of type ${type} ${how} in ${path}`)];
}

function isWithinBits(value: number | bigint, bits: number): boolean {
  const whole = BigInt(value);
  return BigInt.asIntN(bits, whole) === whole;
}

function checkNumber(value: number | bigint, words: JSONSchemaProps, path: string): FieldError[] {
  const { maximum, minimum, exclusiveMaximum, exclusiveMinimum, multipleOf } = words;
  const refuse = (detail: string) => [invalidValue(path, value, `${path} in body should be ${detail}`)];
  // Whole numbers are compared with the whole part of a bound, as upstream.
  const [high, low] = [maximum, minimum].map((bound) =>
    bound !== undefined && isWhole(value) ? Math.trunc(bound) : bound,
  );
  const isOver = high !== undefined && (exclusiveMaximum ? value >= high : value > high);
  const isUnder = low !== undefined && (exclusiveMinimum ? value <= low : value < low);
  return [
    ...(multipleOf === undefined || isMultiple(value, multipleOf)
      ? []
      : isWhole(value) && multipleOf < 1
        ? [invalidValue(path, 0, `factor MultipleOf declared for ${path} must be positive: 0`)]
        : refuse(`a multiple of ${multipleOf}`)),
    ...(isOver ? refuse(`less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`) : []),
    ...(isUnder ? refuse(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`) : []),
  ];
}

/** Whole numbers are divided by the whole part of a factor alone, as upstream. */
function isMultiple(value: number | bigint, factor: number): boolean {
  const whole = Math.trunc(factor);
  if (typeof value === 'bigint') return whole > 0 && value % BigInt(whole) === 0n;
  if (Number.isInteger(value)) return whole > 0 && value % whole === 0;
  const times = factor < 1 ? (1 / factor) * value : value / factor;
  return factor > 0 && Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function checkCount(count: number, { maxItems, minItems }: JSONSchemaProps, path: string): FieldError[] {
  const few = `${path} in body should have at least ${minItems} items`;
  return [
    ...(minItems !== undefined && count < minItems ? [invalidValue(path, count, few)] : []),
    ...(maxItems !== undefined && count > maxItems ? [tooMany(path, count, maxItems)] : []),
  ];
}

function checkSize(
  count: number,
  { maxProperties, minProperties }: JSONSchemaProps,
  path: string,
): FieldError[] {
  const few = `${path} in body should have at least ${minProperties} properties`;
  return [
    ...(minProperties !== undefined && count < minProperties ? [invalidValue(path, count, few)] : []),
    ...(maxProperties !== undefined && count > maxProperties ? [tooMany(path, count, maxProperties)] : []),
  ];
}
