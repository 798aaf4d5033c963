export { type ConnectRemoteCommandOptions, connectRemoteCommand } from './client/connect.ts';
export type { RemoteCommandConnection } from './client/connection.ts';
export { joinWebSocket } from './client/join-web-socket.ts';
export { RemoteCommandError, type RemoteCommandErrorCode } from './errors.ts';
export {
  protocols,
  spdyClientProtocols,
  spdyServerProtocols,
  webSocketServerProtocols,
} from './protocols.ts';
export {
  type ServedRemoteCommand,
  type ServeRemoteCommandOptions,
  serveRemoteCommand,
} from './server/serve.ts';
export type {
  CommandOutcome,
  RemoteCommandSession,
  RemoteCommandStreams,
  RemoteCommandTransport,
  TerminalSize,
} from './session.ts';
export { openableStreams } from './session.ts';
export type { StatusAuthor } from './status.ts';
export { decodeExitCode, encodeStatus } from './status.ts';
export {
  passCommandOn,
  type TranslatedRemoteCommand,
  type TranslateRemoteCommandOptions,
  translateRemoteCommand,
  wantsTranslation,
} from './translate.ts';
