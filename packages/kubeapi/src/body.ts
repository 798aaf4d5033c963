/** Request and response bodies: JSON, YAML or protobuf, read into the schema's form with upstream's complaints. */

import type { GroupVersionKind } from './generated/types.ts';
import { exactJson, parseExactJson } from './json/exact-json.ts';
import {
  checkDepth,
  describeSyntaxError,
  findDuplicateKeysOf,
  JsonSyntaxError,
  noteKeys,
} from './json/json-scan.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json/json-value.ts';
import type { ObjectType } from './object-type.ts';
import { decodeMessage } from './protobuf/decode.ts';
import { encodeProtobuf } from './protobuf/encode-object.ts';
import { type Envelope, openEnvelope } from './protobuf/envelope.ts';
import { ProtobufError } from './protobuf/reader.ts';
import { ConformError, conform, unknownFieldText } from './schema/conform.ts';
import { parseApiVersion } from './schema/resources.ts';
import { type MessageSchema, schemaOfKind } from './schema/schema.ts';
import { badRequest } from './status/status-errors.ts';
import { parseYaml } from './yaml/yaml.ts';

/** The three forms an object's body may have. */
export type BodyFormat = 'json' | 'yaml' | 'protobuf';

/** Media type → form, for Content-Type and Accept. */
export const mediaTypes: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
]);

/** What a decoded body is. */
export interface DecodedBody {
  /** In the schema's form, with `kind` and `apiVersion`. */
  object: JsonObject;
  gvk: GroupVersionKind;
  /** `unknown field "spec.foo"`, `duplicate field "spec.bar"`: errors under Strict, warnings under Warn. */
  complaints: string[];
  /** The same as the errors say it, where that is otherwise. */
  strictComplaints?: string[];
}

/** How {@link decodeBody} reads. */
export interface DecodeOptions {
  format: BodyFormat;
  /** The kind that the path expects; it also fills in for a body without apiVersion and kind. */
  expected: GroupVersionKind;
  /** An older kind with the same fields: an object that says it is one counts as expected. */
  former?: GroupVersionKind | undefined;
  /** What reads the object, whatever kind it says it is: then it has to say one. Default: the type of that kind. */
  type?: Pick<ObjectType, 'read'>;
  /** Complaints say what is wrong, and not of what: what options are refused with. Default: false. */
  isBare?: boolean;
  /** Looks for doubled keys, which costs a second pass over JSON. Default true. */
  findDuplicates?: boolean;
}

interface Parsed {
  value: JsonValue;
  duplicates: string[];
}

/**
 * Reads one object. Throws a 400 StatusError with upstream's text when the body is malformed, of an unknown kind or
 * has a value of the wrong type.
 */
export function decodeBody(body: Uint8Array, options: DecodeOptions): DecodedBody {
  if (options.format === 'protobuf') return decodeProtobufBody(body, options);
  const { value, duplicates } = parseBody(body, options);
  if (options.type) checkSaid(value, body, options.expected);
  const said = kindOf(value, options.expected);
  const gvk = isSameKind(said, options.former) ? options.expected : said;
  const { read } = options.type ?? builtInReader(gvk, options);
  try {
    const { object, unknownFields } = read(value);
    const found = { unknownFields, duplicates, options };
    const complaints = complaintsOf(body, found);
    const decoded = { object: stamped(object, gvk), gvk, complaints };
    if (options.format !== 'yaml' || duplicates.length === 0) return decoded;
    const strictComplaints = complaintsOf(body, { ...found, duplicates: [yamlErrors(duplicates)] });
    return { ...decoded, strictComplaints };
  } catch (error) {
    if (error instanceof ConformError) throw cannotHandle(gvk, options, error.message);
    throw error;
  }
}

/**
 * What is said of a built-in kind's JSON comes as its text does; of YAML and custom resources first what stands twice, then, of
 * YAML by its names, the rest, as upstream.
 */
function complaintsOf(
  body: Uint8Array,
  {
    unknownFields,
    duplicates,
    options: { format, type },
  }: { unknownFields: string[]; duplicates: string[]; options: DecodeOptions },
): string[] {
  if (type) return [...duplicates, ...unknownFields.map(unknownFieldText)];
  if (format === 'yaml') return [...duplicates, ...unknownFields.toSorted(byNames).map(unknownFieldText)];
  if (unknownFields.length + duplicates.length < 2)
    return [...unknownFields.map(unknownFieldText), ...duplicates];
  return noteKeys(Buffer.from(body).toString(), new Set(unknownFields))
    .filter(({ isDoubled }) => !isDoubled || duplicates.length > 0)
    .map(({ path, isDoubled }) => (isDoubled ? duplicateFieldText(path) : unknownFieldText(path)));
}

const duplicateFieldText = (path: string) => `duplicate field ${JSON.stringify(path)}`;

function byNames(left: string, right: string): number {
  const [mine, other] = [left, right].map((path) => path.split(/[.[\]]+/)) as [string[], string[]];
  const at = mine.findIndex((part, index) => part !== other[index]);
  const [one = '', two = ''] = [mine[at], other[at]];
  return Number(one) - Number(two) || (one < two ? -1 : 1);
}

/** The 400 of fieldValidation=Strict; nothing when there are no complaints. */
export function strictError(decoded: DecodedBody, expected: GroupVersionKind): Error | undefined {
  const { complaints, strictComplaints = complaints, gvk } = decoded;
  if (complaints.length === 0) return undefined;
  return cannotHandle(gvk, { expected }, `strict decoding error: ${strictComplaints.join(', ')}`);
}

/** What stands twice in a YAML document, as Go's reader tells of it when that is an error. */
export function yamlErrors(duplicates: readonly string[]): string {
  return `yaml: unmarshal errors:${duplicates.map((text) => `\n  ${text}`).join('')}`;
}

/** The object's body. JSON ends in a newline, as upstream's does. Throws ProtobufError for kinds without a schema. */
export function encodeBody(object: object, format: 'json' | 'protobuf'): Uint8Array {
  return format === 'protobuf' ? encodeProtobuf(object) : Buffer.from(`${exactJson(object)}\n`);
}

/** Parses JSON or YAML without a schema (options, configuration). Throws a 400 StatusError. */
export function parseText(body: Uint8Array, format: 'json' | 'yaml'): JsonValue {
  return parseTextWith(body, format, { findDuplicates: false }).value;
}

/** The same, for patches: with a sentence for each key that stands twice, if they are looked for. */
export function parseTextWith(
  body: Uint8Array,
  format: 'json' | 'yaml',
  { findDuplicates }: { findDuplicates: boolean },
): { value: JsonValue; duplicates: string[] } {
  try {
    return format === 'json' ? parseJson(body, findDuplicates) : parseYaml(body);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(error.message, error);
    throw error;
  }
}

function parseBody(body: Uint8Array, options: DecodeOptions): Parsed {
  try {
    return options.format === 'yaml' ? parseYaml(body) : parseJson(body, options.findDuplicates ?? true);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const isYaml = options.format === 'yaml';
    const why = isYaml ? error.message : `couldn't get version/kind; json parse error: ${error.message}`;
    throw unrecognized(body, options, why);
  }
}

function parseJson(body: Uint8Array, findDuplicates: boolean): Parsed {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  try {
    const value: JsonValue = parseExactJson(text);
    if (!findDuplicates) {
      checkDepth(text);
      return { value, duplicates: [] };
    }
    const duplicates = findDuplicateKeysOf(value, text);
    return { value, duplicates: duplicates.map(duplicateFieldText) };
  } catch (error) {
    if (error instanceof SyntaxError) throw new JsonSyntaxError(describeSyntaxError(text), { cause: error });
    throw error;
  }
}

function kindOf(value: JsonValue, expected: GroupVersionKind): GroupVersionKind {
  const { apiVersion = '', kind = '' } = isJsonObject(value) ? value : {};
  const parsed =
    typeof apiVersion === 'string' && apiVersion !== '' ? parseApiVersion(apiVersion) : undefined;
  if (typeof apiVersion === 'string' && apiVersion !== '' && !parsed) {
    throw badRequest(`unexpected GroupVersion string: ${apiVersion}`);
  }
  return {
    group: parsed?.group ?? expected.group,
    version: parsed?.version ?? expected.version,
    kind: typeof kind === 'string' && kind !== '' ? kind : expected.kind,
  };
}

/** Of custom resources nothing is filled in that the body does not say. */
function checkSaid(value: JsonValue, body: Uint8Array, expected: GroupVersionKind): void {
  if (!isJsonObject(value)) return;
  if (!value['kind']) {
    const said = Buffer.from(body).toString().slice(0, summaryBytes);
    throw unrecognized(body, { expected }, `Object 'Kind' is missing in '${said}'`);
  }
  if (value['apiVersion']) return;
  const { group, version } = expected;
  throw badRequest(
    `the API version in the data () does not match the expected API version (${group}/${version})`,
  );
}

function isSameKind(one: GroupVersionKind, other: GroupVersionKind | undefined): boolean {
  return one.group === other?.group && one.version === other.version && one.kind === other.kind;
}

function builtInReader(gvk: GroupVersionKind, options: Reading): Pick<ObjectType, 'read'> {
  const schema = schemaOrThrow(gvk, options);
  return { read: (value) => conform(value, schema) };
}

function schemaOrThrow(gvk: GroupVersionKind, options: Reading): MessageSchema {
  const schema = schemaOfKind(gvk);
  if (schema) return schema;
  const version = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  const said = `no kind ${JSON.stringify(gvk.kind)} is registered for version ${JSON.stringify(version)}`;
  throw cannotHandle(gvk, options, said);
}

function stamped(object: JsonObject, { group, version, kind }: GroupVersionKind): JsonObject {
  return { ...object, kind, apiVersion: group === '' ? version : `${group}/${version}` };
}

/** What complaints depend on. */
type Reading = Pick<DecodeOptions, 'expected' | 'isBare'>;

function cannotHandle(gvk: GroupVersionKind, { expected, isBare = false }: Reading, why: string): Error {
  if (isBare) return badRequest(why);
  const subject = `${gvk.kind} in version ${JSON.stringify(gvk.version)}`;
  return badRequest(`${subject} cannot be handled as a ${expected.kind}: ${why}`);
}

function unrecognized(body: Uint8Array, { expected, isBare = false }: Reading, why: string): Error {
  if (isBare) return badRequest(why);
  return badRequest(
    `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${summarize(body)})`,
  );
}

const summaryBytes = 30;

function summarize(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const head = Buffer.from(body.subarray(0, summaryBytes));
  const text = body[0] === 0x7b ? head.toString() : head.toString('hex');
  return body.length > summaryBytes ? `${text} ...` : text;
}

function decodeProtobufBody(body: Uint8Array, options: Reading): DecodedBody {
  const { kind, apiVersion, raw } = envelopeOf(body, options);
  // One that can't be read counts as none, as upstream.
  const gvk = kindOf({ kind, ...(parseApiVersion(apiVersion) ? { apiVersion } : {}) }, options.expected);
  try {
    const object = decodeMessage(raw, schemaOrThrow(gvk, options));
    return { object: stamped(object, gvk), gvk, complaints: [] };
  } catch (error) {
    if (error instanceof ProtobufError) throw cannotHandle(gvk, options, error.message);
    throw error;
  }
}

function envelopeOf(body: Uint8Array, options: Reading): Envelope {
  try {
    return openEnvelope(body);
  } catch (error) {
    if (error instanceof ProtobufError) throw unrecognized(body, options, error.message);
    throw error;
  }
}
