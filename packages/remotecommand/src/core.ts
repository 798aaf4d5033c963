/** The client's end over a WebSocket that somebody else has opened: what needs nothing of Node's. */

export type { RemoteCommandConnection } from './client/connection.ts';
export { joinWebSocket } from './client/join-web-socket.ts';
export { RemoteCommandError, type RemoteCommandErrorCode } from './errors.ts';
export { protocols } from './protocols.ts';
export { openableStreams, type RemoteCommandStreams, type TerminalSize } from './session.ts';
