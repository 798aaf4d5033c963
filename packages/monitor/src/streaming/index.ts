export { streamingLimits } from './limits.ts';
export { StreamingServer, type StreamingServerOptions } from './server.ts';
export type { CommandRequest, ForwardRequest, SessionRunner } from './session-runner.ts';
export { TokenCache, type TokenCacheOptions } from './token-cache.ts';
