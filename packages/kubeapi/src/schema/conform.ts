/**
 * Brings parsed JSON into the form the schema prescribes, as Go's decoder into structs would: fields in declaration
 * order, unknown ones dropped and reported, nulls gone, always-printed fields present, quantities and times canonical.
 */
import {
  isJsonObject,
  isNumber,
  type JsonObject,
  type JsonValue,
  jsonKind,
  setOwn,
} from '../json/json-value.ts';
import { fieldComplaintsMax, nestingDepthMax } from '../limits.ts';
import { oddByteKind } from '../values/byte-list.ts';
import { isAlternative } from './alternative.ts';
import { notConverted, notRestored } from './converter-words.ts';
import { conformScalar, goTypeName, zeroScalar } from './scalar.ts';
import type { FieldSchema, MessageLookup, MessageSchema } from './schema.ts';
import { messageSchema } from './schema.ts';

/** A value of the wrong type somewhere in the document; the message is that of Go's JSON decoder. */
export class ConformError extends Error {
  override readonly name = 'ConformError';
  /** What Go's converter says in its place, which reads what a strategic patch made. */
  readonly converterMessage: string;

  constructor(message: string, converterMessage = message) {
    super(message);
    this.converterMessage = converterMessage;
  }
}

/** What came out. */
export interface Conformed {
  object: JsonObject;
  /** Where there are fields that the schema has not, `spec.foo`, at most {@link fieldComplaintsMax}. */
  unknownFields: string[];
}

/**
 * The object as the schema has it; the input is not changed but may be shared. `lookup` finds the messages in it, by default the
 * generated ones. Throws {@link ConformError}.
 */
export function conform(value: JsonValue, schema: MessageSchema, lookup = messageSchema): Conformed {
  const walk: Walk = { unknownFields: [], path: [], lookup };
  if (!isJsonObject(value))
    throw mismatch(value, walk, {
      ...{ struct: schema.upstreamName, type: `${schema.version}.${schema.upstreamName}` },
      converter: notRestored('struct:', value),
    });
  return { object: conformMessage(value, schema, walk), unknownFields: walk.unknownFields };
}

/** What is said of an unknown field by its path. */
export function unknownFieldText(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

/** A step into a map, which Go's complaints about types leave out. */
interface MapKey {
  key: string;
}

interface Walk {
  unknownFields: string[];
  /** Fields, indices and keys of maps down to the present value. */
  path: (string | number | MapKey)[];
  lookup: MessageLookup;
}

function conformMessage(source: JsonObject, schema: MessageSchema, walk: Walk): JsonObject {
  if (walk.path.length > nestingDepthMax) throw new ConformError('exceeded max depth');
  const result: JsonObject = {};
  let known = 0;
  if (schema.isKind) {
    for (const key of ['kind', 'apiVersion'] as const) {
      if (!Object.hasOwn(source, key)) continue;
      known++;
      const value = source[key];
      if (typeof value === 'string') result[key] = value;
      else if (value !== null)
        throw mismatch(value!, walk, {
          ...{ struct: schema.upstreamName, type: 'string', key },
          converter: notConverted(value!, 'string'),
        });
    }
  }
  for (const [name, field] of schema.jsonFields) {
    const isPresent = Object.hasOwn(source, name);
    if (isPresent) known++;
    const value = isPresent ? source[name] : undefined;
    if (value !== undefined && value !== null) {
      walk.path.push(name);
      const conformed = conformField(value, field, schema, walk);
      walk.path.pop();
      if (!isLeftOut(conformed, field) || isToldWhenEmpty(field)) setOwn(result, name, conformed);
    } else {
      const zero = zeroOf(field, walk.lookup);
      if (zero !== undefined) setOwn(result, name, zero);
    }
  }
  if (known < Object.keys(source).length) reportUnknown(source, schema, walk);
  return result;
}

/** True for a zero value that is not printed: Go's `omitempty` on anything but pointers and structs. */
export function isLeftOut(value: JsonValue, field: FieldSchema): boolean {
  if (field.keep) return false;
  if (field.shape === 'list') return Array.isArray(value) && value.length === 0;
  if (field.shape === 'map') return isJsonObject(value) && Object.keys(value).length === 0;
  if (field.pointer || field.message !== undefined || isPrintedStruct(field)) return false;
  if (field.scalar === 'Strings') return Array.isArray(value) && value.length === 0;
  return value === '' || value === false || value === 0;
}

/**
 * Lists that mean something else when they are empty than when they are not there. Who empties the list of managers wants them
 * forgotten, and who leaves it out does not (fieldmanager.go, isResetManagedFields); of policies none are too few, and where
 * nothing is said of them there are the usual ones (autoscaling/v2/defaults.go, copyHPAScalingRules).
 */
const isToldWhenEmpty = ({ message, shape }: FieldSchema) =>
  shape === 'list' && (message === 'ManagedFieldsEntry' || message === 'HPAScalingPolicy');

/** Go keeps these in structs, which `omitempty` does not leave out. */
const isPrintedStruct = ({ shape, scalar }: FieldSchema) =>
  shape === 'single' && (scalar === 'Quantity' || scalar === 'IntOrString');

/** What an absent field prints as; undefined when it is left out. */
export function zeroOf(field: FieldSchema, lookup = messageSchema): JsonValue | undefined {
  if (field.pointer) return undefined;
  if (field.message && field.shape === 'single')
    return field.omitZero ? undefined : zeroMessage(field.message, lookup);
  if (!field.keep && !isPrintedStruct(field)) return undefined;
  if (field.shape === 'list') return [];
  if (field.shape === 'map') return {};
  return field.scalar === undefined ? undefined : zeroScalar(field.scalar);
}

function zeroMessage(name: string, lookup: MessageLookup): JsonObject {
  const result: JsonObject = {};
  for (const [key, field] of lookup(name).jsonFields) {
    const zero = zeroOf(field, lookup);
    if (zero !== undefined) setOwn(result, key, zero);
  }
  return result;
}

function conformField(value: JsonValue, field: FieldSchema, parent: MessageSchema, walk: Walk): JsonValue {
  if (field.shape === 'list') return conformList(value, field, parent, walk);
  if (field.shape === 'map') return conformMap(value, field, parent, walk);
  return conformElement(value, field, parent, walk);
}

function conformList(value: JsonValue, field: FieldSchema, parent: MessageSchema, walk: Walk): JsonValue[] {
  if (!Array.isArray(value))
    throw mismatch(value, walk, {
      ...{ struct: parent.upstreamName, type: goTypeName(field) },
      converter: notRestored('slice', value),
    });
  return value.map((item, index) => {
    walk.path.push(index);
    const result = conformElement(item, field, parent, walk);
    walk.path.pop();
    return result;
  });
}

function conformMap(value: JsonValue, field: FieldSchema, parent: MessageSchema, walk: Walk): JsonObject {
  if (!isJsonObject(value))
    throw mismatch(value, walk, {
      ...{ struct: parent.upstreamName, type: goTypeName(field) },
      converter: notRestored('map', value),
    });
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => {
    walk.path.push({ key });
    const result = conformElement(item, field, parent, walk);
    walk.path.pop();
    return [key, result];
  });
  return Object.fromEntries(entries);
}

function conformElement(value: JsonValue, field: FieldSchema, parent: MessageSchema, walk: Walk): JsonValue {
  if (field.message !== undefined) {
    if (value === null) return zeroMessage(field.message, walk.lookup);
    const schema = walk.lookup(field.message);
    if (schema.alternative) return conformAlternative(value, schema, field, parent, walk);
    if (!isJsonObject(value)) {
      throw mismatch(value, walk, {
        ...{ struct: parent.upstreamName, type: goTypeName({ ...field, shape: 'single' }) },
        converter: notRestored('struct:', value),
      });
    }
    return conformMessage(value, schema, walk);
  }
  const scalar = field.scalar!;
  if (value === null) return zeroScalar(scalar) ?? null;
  const answer = conformScalar(value, scalar);
  if ('value' in answer) return answer.value;
  if ('complaint' in answer) throw new ConformError(answer.complaint);
  if (answer.oddByte !== undefined)
    throw misfit(oddByteKind(answer.oddByte), walk, { struct: parent.upstreamName, type: 'uint8' });
  const type = goTypeName({ ...field, shape: 'single' });
  // Too large for it, or not whole: Go says which number it was.
  const kind = isNumber(value) && scalar.startsWith('int') ? `number ${value}` : jsonKind(value);
  const converter = notConverted(value, scalar);
  throw misfit(kind, walk, { struct: parent.upstreamName, type, converter });
}

/** A schema, or what may stand in its place. */
function conformAlternative(
  value: JsonValue,
  schema: MessageSchema,
  field: FieldSchema,
  parent: MessageSchema,
  walk: Walk,
): JsonValue {
  const inner = schema.jsonFields.get('schema')!;
  if (!isAlternative(value, schema.alternative!)) return conformElement(value, inner, parent, walk);
  return schema.alternative === 'list'
    ? conformList(value, { ...inner, shape: 'list', name: field.name }, parent, walk)
    : value;
}

function reportUnknown(source: JsonObject, schema: MessageSchema, walk: Walk): void {
  for (const key of Object.keys(source)) {
    if (schema.jsonFields.has(key)) continue;
    if (schema.isKind && (key === 'kind' || key === 'apiVersion')) continue;
    if (walk.unknownFields.length >= fieldComplaintsMax) return;
    walk.unknownFields.push(pathText([...walk.path, key]));
  }
}

function pathText(path: Walk['path']): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') {
      text += `[${part}]`;
      continue;
    }
    const name = typeof part === 'string' ? part : part.key;
    text += text === '' ? name : `.${name}`;
  }
  return text;
}

/** What a value should have been, as Go names it. */
interface Expected {
  struct: string;
  type: string;
  /** Of a field that is no step of the walk. */
  key?: string;
  converter?: string | undefined;
}

/** `json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool`. */
const mismatch = (value: JsonValue, walk: Walk, expected: Expected) =>
  misfit(jsonKind(value), walk, expected);

function misfit(kind: string, walk: Walk, { struct, type, key, converter }: Expected): ConformError {
  const names = walk.path.filter((part) => typeof part === 'string');
  if (key !== undefined) names.push(key);
  const place = names.length === 0 ? '' : ` Go struct field ${struct}.${names.join('.')} of type ${type}`;
  const message = `json: cannot unmarshal ${kind} into${place || ` Go value of type ${type}`}`;
  return new ConformError(message, converter);
}
