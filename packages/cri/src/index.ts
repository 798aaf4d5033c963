export type { CriClient } from './client.ts';
export { createCriClient } from './client.ts';
export { decodeMessage, encodeMessage } from './cri-schema.ts';
export type { CriErrorCode } from './errors.ts';
export { CriError, inGoWords, isCriError } from './errors.ts';
export { type MessageField, messageFields, requestsOf } from './fields.ts';
export * from './generated/types.ts';
export type { CallContext, CallOptions, Input } from './grpc/types.ts';
export { messageBytesMax } from './limits.ts';
export type { CriServer, CriServerOptions } from './server.ts';
export { createCriServer } from './server.ts';
export { parseSignal, signalNumber, signalOfNumber } from './signals.ts';
export type {
  ImageServiceClient,
  ImageServiceHandlers,
  RuntimeServiceClient,
  RuntimeServiceHandlers,
} from './types.ts';
