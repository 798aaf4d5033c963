import { createHash } from 'node:crypto';
import { type ByteSource, iterate } from '@wherry/bytes';
import {
  connectRemoteCommand,
  type RemoteCommandConnection,
  type RemoteCommandStreams,
} from '@wherry/remotecommand';

/** How to reach the monitor's streaming server in a test. */
export type Transport = 'websocket' | 'spdy';

/** Redeems a URL. */
export function connect(
  url: string,
  streams: RemoteCommandStreams,
  transport: Transport,
  webSocketProtocols?: readonly string[],
): Promise<RemoteCommandConnection> {
  return connectRemoteCommand({ url, streams, transport, webSocketProtocols });
}

/** Reads an output to its end. */
export async function textOf(source: ByteSource | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  if (source) for await (const chunk of iterate(source)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

/** Reads an output to its end; its SHA-256 and length. */
export async function hashOf(source: ByteSource | null): Promise<{ hash: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  if (source) {
    for await (const chunk of iterate(source)) {
      hash.update(chunk);
      bytes += chunk.byteLength;
    }
  }
  return { hash: hash.digest('hex'), bytes };
}
