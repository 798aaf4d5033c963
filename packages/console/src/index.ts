export type { StreamingServers } from './api/streaming-servers.ts';
export { ConsoleError, type ConsoleErrorCode } from './errors.ts';
export { limits } from './limits.ts';
export { type ConsoleOptions, type RunningConsole, startConsole } from './server/serve.ts';
