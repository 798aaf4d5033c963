/** Walks an object by its schema and fills in what absent fields mean. */
import {
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  setOwn,
} from '../json/json-value.ts';
import { type FieldSchema, type MessageSchema, messageSchema } from '../schema/schema.ts';
import { canonicalQuantity, parseQuantity } from '../values/quantity.ts';
import { messageFacet } from './index.ts';

const constantDefaults = messageFacet('defaults');
const computedDefaults = messageFacet('computedDefaults');

/** Fills in defaults in place, top down. Expects an object in the schema's form (from decodeBody or conform). */
export function applyDefaults(object: object, schema: MessageSchema): void {
  applyMessage(object as JsonObject, schema);
}

function applyMessage(object: JsonObject, schema: MessageSchema): void {
  ownValue(computedDefaults, schema.name)?.(object);
  applyConstants(object, schema);
  for (const field of schema.fields) {
    if (isAmounts(field, schema)) roundAmounts(ownValue(object, field.name));
    if (field.message === undefined) continue;
    const inner = messageSchema(field.message);
    if (!hasDefaults(inner)) continue;
    if (field.inline) applyMessage(object, inner);
    else applyValue(ownValue(object, field.name), field, inner);
  }
}

function applyConstants(object: JsonObject, schema: MessageSchema): void {
  for (const [name, value] of Object.entries(ownValue(constantDefaults, schema.name) ?? {})) {
    const field = schema.jsonFields.get(name);
    if (field && isUnset(ownValue(object, name), field)) setOwn(object, name, copyJson(value));
  }
  for (const field of schema.fields) {
    const { defaultValue } = field;
    if (defaultValue === undefined || !isUnset(ownValue(object, field.name), field)) continue;
    if (!field.pointer && (defaultValue === '' || defaultValue === 0 || defaultValue === false)) continue;
    setOwn(object, field.name, copyJson(defaultValue));
  }
}

function isUnset(value: JsonValue | undefined, field: FieldSchema): boolean {
  if (value === undefined || value === null) return true;
  return !field.pointer && (value === '' || value === 0 || (Array.isArray(value) && value.length === 0));
}

function applyValue(value: JsonValue | undefined, field: FieldSchema, schema: MessageSchema): void {
  if (field.shape === 'list' && Array.isArray(value)) {
    for (const item of value) if (isJsonObject(item)) applyMessage(item, schema);
  } else if (isJsonObject(value)) {
    if (field.shape === 'single') applyMessage(value, schema);
    else for (const item of Object.values(value)) if (isJsonObject(item)) applyMessage(item, schema);
  }
}

/** Amounts of resources, by name; other groups take them as they come. */
const isAmounts = ({ scalar, shape }: FieldSchema, { group }: MessageSchema) =>
  group === '' && scalar === 'Quantity' && shape === 'map';

/** Amounts are counted in thousandths, rounded up. */
function roundAmounts(amounts: JsonValue | undefined): void {
  if (!isJsonObject(amounts)) return;
  for (const [name, amount] of Object.entries(amounts)) {
    if (typeof amount !== 'string' || !mayBeFine.test(amount)) continue;
    const { nanos } = parseQuantity(amount);
    const thousandths = nanos / nanosOfThousandth + (nanos % nanosOfThousandth > 0n ? 1n : 0n);
    if (thousandths * nanosOfThousandth !== nanos)
      setOwn(amounts, name, canonicalQuantity(`${thousandths}m`));
  }
}

const mayBeFine = /[nu]$|\.\d{4}|[eE]-/;
const nanosOfThousandth = 1_000_000n;

const known = new Map<string, boolean>();

/** True when the message or one of its parts has defaults: the others are not walked. */
function hasDefaults(schema: MessageSchema): boolean {
  const answer = known.get(schema.name);
  if (answer !== undefined) return answer;
  known.set(schema.name, false);
  const own =
    Object.hasOwn(constantDefaults, schema.name) ||
    Object.hasOwn(computedDefaults, schema.name) ||
    schema.fields.some((field) => field.defaultValue !== undefined || isAmounts(field, schema));
  const result =
    own ||
    schema.fields.some((field) => field.message !== undefined && hasDefaults(messageSchema(field.message)));
  known.set(schema.name, result);
  return result;
}
