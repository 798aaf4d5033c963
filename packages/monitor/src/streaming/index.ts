export { streamingLimits } from './limits.ts';
export type { CommandRequest, ForwardRequest, StreamingRuntime } from './runtime.ts';
export { StreamingServer, type StreamingServerOptions } from './server.ts';
export { TokenCache, type TokenCacheOptions } from './token-cache.ts';
