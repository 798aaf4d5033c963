/** Bodies in the forms that servers read. */
import { gzipSync } from 'node:zlib';
import {
  encodeProtobuf,
  type JsonObject,
  type JsonValue,
  ProtobufError,
  writeYaml,
  type YamlValue,
} from '@wherry/kubeapi';
import { SeededRandom } from '../../../packages/kubeapi/test/random-object.ts';
import type { FormedBody } from '../chance/tell.ts';
import { spoilt } from './spoilt-bodies.ts';

/** The media types of whole objects. */
export const objectTypes = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
} as const;

/** One of them. */
export type Form = keyof typeof objectTypes;

/** How a body is made of its JSON. */
export interface FormOptions {
  form: Form;
  /** The seed of what is done to its bytes. */
  spoiltBy?: number;
  packed?: boolean;
}

/** A body in a form. */
export function formed(json: JsonValue, { form, spoiltBy, packed = false }: FormOptions): FormedBody {
  return {
    json,
    form: [form, packed ? 'packed' : '', spoiltBy === undefined ? '' : `spoilt by ${spoiltBy}`].join(' '),
    bytesOf(text) {
      const whole = bytesIn(form, text);
      const bytes = spoiltBy === undefined ? whole : spoilt(whole, new SeededRandom(spoiltBy));
      return packed ? gzipSync(bytes) : bytes;
    },
  };
}

function bytesIn(form: Form, text: string): Buffer {
  if (form === 'json') return Buffer.from(text);
  const value = JSON.parse(text) as JsonObject;
  if (form === 'yaml') return Buffer.from(writeYaml(value as YamlValue));
  try {
    return Buffer.from(encodeProtobuf(value));
  } catch (error) {
    // Of custom kinds there is none.
    if (error instanceof ProtobufError) return Buffer.from(text);
    throw error;
  }
}
