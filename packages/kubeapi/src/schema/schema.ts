/** The object schema at run time: messages and fields, read lazily from the compact generated text. */
import { enums as enumTexts, type PackageFacts, packages } from '../generated/schema.ts';
import type { GroupVersionKind } from '../generated/types.ts';
import { type JsonValue, ownValue } from '../json/json-value.ts';
import { parseApiVersion } from './resources.ts';

/** Types that are not messages of the schema. */
export type ScalarType =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'Time'
  | 'MicroTime'
  | 'Duration'
  | 'Quantity'
  | 'IntOrString'
  | 'Strings'
  | 'RawExtension'
  | 'FieldsV1'
  | 'Any';

/** One field of a message. */
export interface FieldSchema {
  /** JSON name; for an inline field the name that only protobuf has. */
  name: string;
  /** Protobuf field number; 0 when the field exists in JSON alone. */
  number: number;
  shape: 'single' | 'list' | 'map';
  /** The type of the value, or of the list's items or the map's values. */
  scalar: ScalarType | undefined;
  /** Set when the value is a message. */
  message: string | undefined;
  /** The closed set of values, when the type has one. */
  enumValues: readonly string[] | undefined;
  enumName: string | undefined;
  /** Its fields stand among the parent's in JSON, and in a message of their own in protobuf. */
  inline: boolean;
  /** Absent and zero differ. */
  pointer: boolean;
  required: boolean;
  /** Printed even when empty. */
  keep: boolean;
  /** A struct that is left out when empty; others print as `{}`. */
  omitZero: boolean;
  listType: 'atomic' | 'set' | 'map' | undefined;
  listMapKeys: readonly string[];
  /** Struct or map replaced as a whole by server-side apply. */
  atomic: boolean;
  /** Struct owned by its fields, although its message is replaced as a whole elsewhere. */
  granular: boolean;
  patchStrategies: readonly string[];
  patchMergeKey: string | undefined;
  defaultValue: JsonValue | undefined;
}

/** What a value may be that is a schema else: a list of schemas, true or false, a list of texts. */
export type Alternative = 'list' | 'bool' | 'strings';

/** One message (struct) of the schema. */
export interface MessageSchema {
  /** Unique over all packages; also the name of the TypeScript interface. */
  name: string;
  upstreamName: string;
  group: string;
  version: string;
  /** `io.k8s.api.core.v1.Pod` */
  openApiName: string;
  /** Carries apiVersion and kind. */
  isKind: boolean;
  atomic: boolean;
  /** What JSON may have in place of the message in its field `schema`; as it stands it is protobuf's form alone. */
  alternative: Alternative | undefined;
  fields: readonly FieldSchema[];
  /** The same as they are written in protobuf: in the order of their numbers, without those of JSON alone. */
  wireFields: readonly FieldSchema[];
  /** Fields as JSON shows them: inline ones replaced by their own. */
  jsonFields: ReadonlyMap<string, FieldSchema>;
}

const scalarTypes = new Set<string>([
  ...['string', 'bool', 'int32', 'int64', 'double', 'bytes', 'Time', 'MicroTime', 'Duration', 'Quantity'],
  ...['IntOrString', 'Strings', 'RawExtension', 'FieldsV1', 'Any'],
]);
const isScalar = (type: string): type is ScalarType => scalarTypes.has(type);

const homes = new Map<string, PackageFacts>();
const kinds = new Map<string, string>();
for (const source of packages) {
  for (const [name, text] of Object.entries(source.messages)) {
    homes.set(name, source);
    const [flags = ''] = text.split('|', 1);
    const upstreamName = /as=(\w+)/.exec(flags)?.[1] ?? name;
    if (flags.startsWith('kind')) kinds.set(`${source.group}/${source.version}/${upstreamName}`, name);
  }
}

const parsed = new Map<string, MessageSchema>();

/** All message names, in the order of the packages. */
export const messageNames: readonly string[] = [...homes.keys()];

/** The message of that name; throws on an unknown one (a mistake of the caller's). */
export function messageSchema(name: string): MessageSchema {
  let schema = parsed.get(name);
  if (!schema) {
    schema = parseMessage(name, homes.get(name), messageSchema);
    parsed.set(name, schema);
  }
  return schema;
}

/** Finds messages by name; throws on an unknown one. */
export type MessageLookup = (name: string) => MessageSchema;

/** The messages of a package that no server serves, such as a file of configuration, beside all others. */
export function messagesWith(own: PackageFacts): MessageLookup {
  const found = new Map<string, MessageSchema>();
  const lookup: MessageLookup = (name) => {
    if (!Object.hasOwn(own.messages, name)) return messageSchema(name);
    const schema = found.get(name) ?? parseMessage(name, own, lookup);
    found.set(name, schema);
    return schema;
  };
  return lookup;
}

/** The message of a kind, or undefined when the schema has none. Options and Status are known in every group. */
export function schemaOfKind({ group, version, kind }: GroupVersionKind): MessageSchema | undefined {
  const name = kinds.get(`${group}/${version}/${kind}`) ?? kinds.get(`meta.k8s.io/v1/${kind}`);
  if (name === undefined) return undefined;
  const schema = messageSchema(name);
  if (name !== 'PartialObjectMetadataList' || version !== 'v1beta1') return schema;
  firstPartialList ??= renumbered(schema, firstNumbers);
  return firstPartialList;
}

/** The schema of an apiVersion and kind, or undefined. */
export function schemaFor(apiVersion: string, kind: string): MessageSchema | undefined {
  const parsed = parseApiVersion(apiVersion);
  return parsed && schemaOfKind({ ...parsed, kind });
}

/** The values of a closed set of strings, by the name of its type. */
export function enumValues(name: string): readonly string[] | undefined {
  const text = ownValue(enumTexts, name);
  return text === undefined ? undefined : text.split(' ');
}

function parseMessage(name: string, home: PackageFacts | undefined, lookup: MessageLookup): MessageSchema {
  const text = ownValue(home?.messages, name);
  if (!home || text === undefined) throw new Error(`schema has no message "${name}"`);
  const bar = text.indexOf('|');
  const flags = text.slice(0, bar).split(' ');
  const upstreamName = flags.find((flag) => flag.startsWith('as='))?.slice(3) ?? name;
  const body = text.slice(bar + 1);
  const fields = body === '' ? [] : body.split(';').map(parseField);
  return {
    name,
    upstreamName,
    group: home.group,
    version: home.version,
    openApiName: home.openApiPrefix + upstreamName,
    isKind: flags.includes('kind'),
    atomic: flags.includes('atomic'),
    alternative: flags.find((flag) => flag.startsWith('or='))?.slice(3) as Alternative | undefined,
    fields,
    wireFields: inWireOrder(fields),
    jsonFields: flatten(fields, lookup),
  };
}

function inWireOrder(fields: readonly FieldSchema[]): FieldSchema[] {
  return fields.filter(({ number }) => number > 0).sort((one, other) => one.number - other.number);
}

/** Numbers that fields had in the first version of a list of metadata. */
const firstNumbers: ReadonlyMap<string, number> = new Map([
  ['items', 1],
  ['metadata', 2],
]);
let firstPartialList: MessageSchema | undefined;

function renumbered(schema: MessageSchema, numbers: ReadonlyMap<string, number>): MessageSchema {
  const fields = schema.fields.map((field) => ({
    ...field,
    number: numbers.get(field.name) ?? field.number,
  }));
  return { ...schema, fields, wireFields: inWireOrder(fields) };
}

function flatten(fields: FieldSchema[], lookup: MessageLookup): Map<string, FieldSchema> {
  const flat = new Map<string, FieldSchema>();
  for (const field of fields) {
    if (!field.inline || !field.message) flat.set(field.name, field);
    else for (const [name, inner] of lookup(field.message).jsonFields) flat.set(name, inner);
  }
  return flat;
}

function parseField(text: string): FieldSchema {
  const [name = '', number = '', type = '', ...flags] = text.split(' ');
  const valued = (key: string) => flags.find((flag) => flag.startsWith(`${key}=`))?.slice(key.length + 1);
  const element = type.replace(/^(\[\]|\{\})/, '');
  const values = enumValues(element);
  const scalar = values ? 'string' : isScalar(element) ? element : undefined;
  const [listType, keys] = (valued('list') ?? '').split(':');
  const defaultText = valued('default');
  return {
    name,
    number: Number(number),
    shape: type.startsWith('[]') ? 'list' : type.startsWith('{}') ? 'map' : 'single',
    scalar,
    message: scalar ? undefined : element,
    enumValues: values,
    enumName: values ? element : undefined,
    inline: flags.includes('inline'),
    pointer: flags.includes('pointer'),
    required: flags.includes('required'),
    keep: flags.includes('keep'),
    omitZero: flags.includes('omitzero'),
    listType: listType === 'atomic' || listType === 'set' || listType === 'map' ? listType : undefined,
    listMapKeys: keys ? keys.split(',') : [],
    atomic: flags.includes('atomic') || valued('map') === 'atomic',
    granular: flags.includes('granular'),
    patchStrategies: valued('patch')?.split(',') ?? [],
    patchMergeKey: valued('key'),
    defaultValue: defaultText === undefined ? undefined : JSON.parse(defaultText),
  };
}
