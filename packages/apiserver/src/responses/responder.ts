import {
  encodeProtobuf,
  exactJson,
  type IncludeObject,
  type JsonValue,
  parseExactJson,
  type Status,
  type StatusError,
  writeYaml,
  type YamlValue,
} from '@wherry/kubeapi';
import { trailOfAnswer } from '../audit/answers.ts';
import type { MediaType } from '../http/negotiation.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import { type BodyOptions, sendBody } from './body.ts';
import { partialObject, tableOf, wrongShape } from './representation.ts';

/** How an answer is written. */
export interface AnswerOptions extends BodyOptions {
  /** `includeObject` of Tables. */
  include?: IncludeObject | undefined;
  nowMs: number;
}

/** Answers with one object of the store. */
export function sendSnapshot(snapshot: Snapshot, options: AnswerOptions): void {
  const { media, response } = options;
  if (!isPlainJson(media)) sendObject(shapeOf(snapshot, options), options);
  else {
    trailOfAnswer(response)?.responds(() => parseExactJson(snapshot.json));
    sendText(`${snapshot.json}\n`, options);
  }
}

function shapeOf(
  { object, type }: Pick<Snapshot, 'object' | 'type'>,
  { media, include = 'Metadata', nowMs }: AnswerOptions,
): object {
  if (media.as === 'Table') return tableOf(type, [object], { media, includeObject: include, nowMs });
  if (media.as === 'PartialObjectMetadataList') throw wrongShape(type, media.as, false);
  return media.as === 'PartialObjectMetadata' ? partialObject(object, media.asVersion) : object;
}

/** What the stored texts can be sent as without a look inside. */
export function isPlainJson({ encoding, as, pretty }: MediaType): boolean {
  return encoding === 'json' && as === 'object' && !pretty;
}

/** Answers with one object of a type, in the shape that the client takes. */
export function sendTyped(object: Pick<Snapshot, 'object' | 'type'>, options: AnswerOptions): void {
  sendObject(shapeOf(object, options), options);
}

/** Answers with any object that has a kind. */
export function sendObject(object: object, options: AnswerOptions): void {
  const trail = trailOfAnswer(options.response);
  if (trail) {
    if (isStatus(object)) trail.respondsStatus(object);
    trail.responds(() => object as JsonValue);
  }
  sendBytes(encodeAs(object, options.media), options);
}

function isStatus(object: object): object is Status {
  return 'kind' in object && object.kind === 'Status';
}

/** The body that an object with a kind makes. */
export function encodeAs(object: object, { encoding, pretty }: MediaType): Uint8Array {
  if (encoding === 'protobuf') return encodeProtobuf(object);
  if (encoding === 'yaml') return Buffer.from(writeYaml(object as YamlValue));
  // As upstream's, what is indented has no line's end.
  return Buffer.from(pretty ? exactJson(object, 2) : `${exactJson(object)}\n`);
}

/** Answers with an error. Once an answer has begun all that is left is to cut it off. */
export function sendStatus(error: StatusError, options: Omit<AnswerOptions, 'code'>): void {
  const { response } = options;
  if (response.headersSent) {
    response.destroy(error);
    return;
  }
  response.setHeader('x-content-type-options', 'nosniff');
  const { retryAfterSeconds } = error.status.details ?? {};
  if (retryAfterSeconds) response.setHeader('retry-after', String(retryAfterSeconds));
  sendObject(error.status, { ...options, code: error.code, media: { ...options.media, as: 'object' } });
}

function sendText(text: string, options: AnswerOptions): void {
  sendBytes(Buffer.from(text), options);
}

/** Of what is short everything is written at once; what is packed first goes out as it is ready. */
function sendBytes(bytes: Uint8Array, options: AnswerOptions): void {
  void sendBody([bytes], options);
}
