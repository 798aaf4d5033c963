import {
  builtInType,
  decodeProtobuf,
  isJsonObject,
  parseApiVersion,
  parseExactJson,
  protobufMagic,
} from '@wherry/kubeapi';
import { StoreError } from '../store/errors.ts';
import type { ValueForm } from '../store/etcd/etcd-layout.ts';
import type { ApiObject } from './api-object.ts';
import { toStoredText } from './stored-text.ts';
import { definitionOfOld, isOldDefinition, readableVersion } from './upstream-forms.ts';

/** How objects stand in etcd. */
export const etcdForm: ValueForm = { toBytes, toText };

/** An object as {@link toBytes} writes it. */
const ownForm = /^\{"kind":"([^"\\]*)",(?="apiVersion":"([^"\\]*)","metadata":\{)/;

/** The bytes of a value: JSON with the kind in front, which upstream's server reads too. */
function toBytes(text: string, kind: string | undefined): Buffer {
  const isObject = kind !== undefined && text.startsWith('{"apiVersion":');
  return Buffer.from(isObject ? `{"kind":${JSON.stringify(kind)},${text.slice(1)}` : text);
}

/**
 * The text of a value, whoever wrote it: of our own JSON, of upstream's protobuf for built-in kinds, of upstream's JSON for
 * custom resources. Throws `unreadable` on protobuf of a kind that is not known here.
 */
function toText(bytes: Uint8Array, key: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (protobufMagic.every((byte, at) => buffer[at] === byte)) return textOfProtobuf(buffer, key);
  const text = buffer.toString();
  const own = ownForm.exec(text);
  if (own && !isOldDefinition(own[2], own[1])) return `{${text.slice(own[0].length)}`;
  return textOfJson(text) ?? text;
}

/** With defaults, as upstream: protobuf does not say what kind a claim of a template is, and an older server knew fewer fields. */
function textOfProtobuf(bytes: Uint8Array, key: string): string {
  try {
    const object = decodeProtobuf(bytes, readableVersion);
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    builtInType({ ...parseApiVersion(apiVersion)!, kind }).setDefaults(object);
    return textOf(object)!;
  } catch (error) {
    const reason = (error as Error).message;
    throw new StoreError('unreadable', `the value of "${key}" can't be read: ${reason}`, { cause: error });
  }
}

function textOfJson(text: string): string | undefined {
  try {
    return textOf(parseExactJson(text));
  } catch {
    return undefined;
  }
}

function textOf(object: unknown): string | undefined {
  if (!isJsonObject(object) || !isJsonObject(object['metadata'])) return undefined;
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string') return undefined;
  if (!isOldDefinition(apiVersion, kind)) return toStoredText(object as unknown as ApiObject, apiVersion);
  return toStoredText(definitionOfOld(object) as unknown as ApiObject, 'apiextensions.k8s.io/v1');
}
