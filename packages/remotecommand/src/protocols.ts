/** Sub-protocol names of exec and attach (k8s.io/apimachinery, pkg/util/remotecommand). */
export const protocols = {
  v1: 'channel.k8s.io',
  v2: 'v2.channel.k8s.io',
  v3: 'v3.channel.k8s.io',
  v4: 'v4.channel.k8s.io',
  v5: 'v5.channel.k8s.io',
  v1Base64: 'base64.channel.k8s.io',
  v4Base64: 'v4.base64.channel.k8s.io',
} as const;

/** What our SPDY server speaks. v5 is WebSocket only: clients that offer it get v4. */
export const spdyServerProtocols: readonly string[] = [
  protocols.v4,
  protocols.v3,
  protocols.v2,
  protocols.v1,
];

/** What clients offer over SPDY, in this order. */
export const spdyClientProtocols: readonly string[] = [protocols.v5, ...spdyServerProtocols];

/**
 * What a CRI streaming server speaks over WebSocket; '' is a client that asks for nothing. Not v5: that kubectl falls
 * back to SPDY on clusters without a translator rests on this refusal.
 */
export const webSocketServerProtocols: readonly string[] = [
  '',
  protocols.v1,
  protocols.v1Base64,
  protocols.v4,
  protocols.v4Base64,
];

/** True when the error stream carries a Status in JSON; before v4 it carries plain text, and only on failure. */
export function hasStatus(protocol: string): boolean {
  return protocol === protocols.v4 || protocol === protocols.v4Base64 || protocol === protocols.v5;
}

/** True when a terminal's size can be sent (v3 and later; over WebSocket always). */
export function hasResize(protocol: string): boolean {
  return hasStatus(protocol) || protocol === protocols.v3;
}

/** True when messages are text: a digit and base64. */
export function isBase64(protocol: string): boolean {
  return protocol === protocols.v1Base64 || protocol === protocols.v4Base64;
}

/** Channel numbers over WebSocket; the keys are the `streamType` header values over SPDY. */
export const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;
