import { decodeProtobuf, isJsonObject, protobufMagic } from '@wherry/kubeapi';
import { StoreError } from '../store/errors.ts';
import type { ValueForm } from '../store/etcd/etcd-layout.ts';
import type { ApiObject } from './api-object.ts';
import { toStoredText } from './stored-text.ts';

/** How objects stand in etcd. */
export const etcdForm: ValueForm = { toBytes, toText };

/** An object as {@link toBytes} writes it. */
const ownForm = /^\{"kind":"[^"\\]*",(?="apiVersion":"[^"\\]*","metadata":\{)/;

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
  if (own) return `{${text.slice(own[0].length)}`;
  return textOfJson(text) ?? text;
}

function textOfProtobuf(bytes: Uint8Array, key: string): string {
  try {
    return textOf(decodeProtobuf(bytes))!;
  } catch (error) {
    const reason = (error as Error).message;
    throw new StoreError('unreadable', `the value of "${key}" can't be read: ${reason}`, { cause: error });
  }
}

function textOfJson(text: string): string | undefined {
  try {
    return textOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function textOf(object: unknown): string | undefined {
  if (!isJsonObject(object) || !isJsonObject(object['metadata'])) return undefined;
  const { apiVersion } = object;
  return typeof apiVersion === 'string'
    ? toStoredText(object as unknown as ApiObject, apiVersion)
    : undefined;
}
