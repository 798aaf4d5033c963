import { messages, services } from './generated/schema.ts';
import { messageCodec } from './grpc/codec.ts';
import type { Message } from './grpc/own-keys.ts';
import type { GrpcSchema } from './grpc/schema.ts';

/** The two services of CRI. */
export type ServiceName = 'RuntimeService' | 'ImageService';

/** CRI v1. */
export const schema: GrpcSchema = { package: 'runtime.v1', messages, services };

const codec = messageCodec(messages);

/** Encodes a message of the given CRI type; absent fields are left out. */
export const encodeMessage = (name: string, message: object): Buffer => codec.encode(name, message);

/** Decodes a message of the given CRI type. Throws `RangeError` on a truncated or malformed message. */
export const decodeMessage = (name: string, bytes: Uint8Array): Message => codec.decode(name, bytes);
