/** The SPDY sub-protocol of port-forward (k8s.io/apimachinery, pkg/util/portforward). */
export const portForwardProtocol = 'portforward.k8s.io';

/** Its name when SPDY travels inside a WebSocket. */
export const tunnelProtocol = `SPDY/3.1+${portForwardProtocol}`;

/** Sub-protocols of the WebSocket channels of older client libraries; '' asks for none. */
export const legacyProtocols = {
  none: '',
  v4: 'v4.channel.k8s.io',
  v4Base64: 'v4.base64.channel.k8s.io',
} as const;

/** SPDY headers of the two streams of a connection. Names as they are on the wire. */
export const streamHeaders = {
  type: 'streamtype',
  port: 'port',
  requestId: 'requestid',
  /**
   * Ours: value `text` on an error stream asks the server for the text of a failure, because the client goes on with
   * its other connections. Go clients end the whole session at the first text they get, so they must not get any.
   */
  errors: 'wherry-errors',
} as const;
