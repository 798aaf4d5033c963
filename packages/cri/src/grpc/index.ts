export { CriError, type CriErrorCode, goName, inGoWords, isCriError } from '../errors.ts';
export { type MessageCodec, messageCodec } from './codec.ts';
export { type ConnectionOptions, type GrpcConnection, openConnection } from './connection.ts';
export type { FieldSchema, GrpcSchema, MessageSchema, MethodSchema } from './schema.ts';
export { createGrpcServer, type GrpcServer, type ServedService } from './server.ts';
export type { CallContext, CallOptions, ClientOf, HandlersOf, Input, MethodTypes } from './types.ts';
