export { UpgradeError, type UpgradeErrorCode } from './errors.ts';
export { encodeAnswer, finishWith, type HttpAnswer, plainTextAnswer } from './http/answer.ts';
export {
  headerLines,
  isUpgradeRequest,
  isWebSocketRequest,
  type UpgradeExchange,
  webSocketProtocols,
} from './http/exchange.ts';
export type { UpgradeTarget } from './http/target.ts';
export type { TlsClientOptions } from './http/tls.ts';
export { isTlsCurve, isTlsSuite, type TlsSettings, tlsOptions, tlsVersions } from './http/tls-names.ts';
export type { ProxyOutcome, ProxyUpgradeOptions } from './proxy/contract.ts';
export { proxyUpgrade } from './proxy/proxy-upgrade.ts';
export { spokenProtocol } from './proxy/told-session.ts';
export { tunnelUpgrade, wantsTunnel } from './proxy/tunnel-upgrade.ts';
export {
  type AcceptedSpdy,
  type AcceptSpdyOptions,
  acceptSpdyUpgrade,
  negotiateSpdy,
  type SpdyNegotiation,
  type UpgradedChannel,
} from './spdy/accept.ts';
export { type RequestedUpgrade, type RequestUpgradeOptions, requestUpgrade } from './spdy/request.ts';
export { type AcceptWebSocketOptions, acceptWebSocket } from './websocket/accept.ts';
export { ChannelSocket, type ChannelSocketOptions } from './websocket/channel-socket.ts';
export { type DialWebSocketOptions, dialWebSocket } from './websocket/dial.ts';
export {
  isClosedInOrder,
  type MessageReceiver,
  type MessageSocket,
  WebSocketClosedError,
} from './websocket/message-socket.ts';
export { spdyOverWebSocket, tunnelPrefix } from './websocket/tunnel.ts';
