export { tunnelUpgrade as tunnelPortForward, wantsTunnel } from '@wherry/upgrade';
export {
  type ConnectPortForwardOptions,
  connectPortForward,
  type PortForwardConnection,
  type PortForwardTransport,
} from './connect.ts';
export { PortForwardError, type PortForwardErrorCode } from './errors.ts';
export { legacyProtocols, portForwardProtocol, tunnelProtocol } from './protocols.ts';
export { type ServedPortForward, type ServePortForwardOptions, servePortForward } from './serve.ts';
