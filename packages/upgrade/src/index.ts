export { encodeAnswer, finishWith, type HttpAnswer, plainTextAnswer } from './answer.ts';
export { ChannelSocket, type ChannelSocketOptions } from './channel-socket.ts';
export { UpgradeError, type UpgradeErrorCode } from './errors.ts';
export {
  headerLines,
  isUpgradeRequest,
  isWebSocketRequest,
  type UpgradeExchange,
  webSocketProtocols,
} from './exchange.ts';
export { type MessageReceiver, type MessageSocket, WebSocketClosedError } from './message-socket.ts';
export { type ProxyOutcome, type ProxyUpgradeOptions, proxyUpgrade } from './proxy.ts';
export {
  type AcceptSpdyOptions,
  acceptSpdyUpgrade,
  negotiateSpdy,
  type SpdyNegotiation,
  type UpgradedChannel,
} from './spdy-accept.ts';
export { type RequestedUpgrade, type RequestUpgradeOptions, requestUpgrade } from './spdy-request.ts';
export type { TlsClientOptions, UpgradeTarget } from './target.ts';
export { tunnelUpgrade, wantsTunnel } from './tunnel-upgrade.ts';
export { type AcceptWebSocketOptions, acceptWebSocket } from './websocket-accept.ts';
export { type DialWebSocketOptions, dialWebSocket } from './websocket-dial.ts';
export { spdyOverWebSocket, tunnelPrefix } from './websocket-tunnel.ts';
