/** Channels over a WebSocket that somebody else has opened: what needs nothing of Node's. */

export { ChannelSocket, type ChannelSocketOptions } from './websocket/channel-socket.ts';
export {
  isClosedInOrder,
  type MessageReceiver,
  type MessageSocket,
  WebSocketClosedError,
} from './websocket/message-socket.ts';
