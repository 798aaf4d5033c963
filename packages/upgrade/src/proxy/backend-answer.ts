import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { isSecure, type TransportOptions, transportOptions, type UpgradeTarget } from '../http/target.ts';
import type { TlsClientOptions } from '../http/tls.ts';
import { headBytesMax } from '../limits.ts';
import type { HeaderLines } from './headers.ts';

/** A backend that switched protocols: its answer, its socket, and what it sent behind the head. */
export interface UpgradedBackend {
  kind: 'upgraded';
  response: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** How a backend answered an upgrade. */
export type BackendAnswer = UpgradedBackend | { kind: 'answered'; response: IncomingMessage };

/** What is sent to a backend. */
export interface BackendRequest extends Pick<UpgradeTarget, 'url' | 'connect' | 'signal'> {
  method: string;
  /** Sent as they are: Host, too, comes from here. */
  lines: HeaderLines;
  tls?: TlsClientOptions | undefined;
}

/** Sends an upgrade request as it is. Rejects with the proxy's text: `error dialing backend: …` or `error sending request: …`. */
export async function askBackend(options: BackendRequest): Promise<BackendAnswer> {
  let connected = false;
  let request: ClientRequest | undefined;
  try {
    const transport = await transportOptions(options);
    connected = options.connect !== undefined;
    request = openRequest(options, transport);
    const secure = isSecure(new URL(options.url));
    request.once('socket', (socket) => {
      socket.once(secure ? 'secureConnect' : 'connect', () => (connected = true));
    });
    return await answerOf(request);
  } catch (error) {
    request?.destroy();
    const message = error instanceof Error ? error.message || error.name : String(error);
    throw new Error(`${connected ? 'error sending request' : 'error dialing backend'}: ${message}`, {
      cause: error,
    });
  }
}

function openRequest(options: BackendRequest, transport: TransportOptions): ClientRequest {
  const url = new URL(options.url);
  const secure = isSecure(url);
  url.protocol = secure ? 'https:' : 'http:';
  return (secure ? httpsRequest : httpRequest)(url, {
    method: options.method,
    headers: options.lines,
    maxHeaderSize: headBytesMax,
    signal: options.signal,
    ...transport,
  });
}

function answerOf(request: ClientRequest): Promise<BackendAnswer> {
  return new Promise((resolve, reject) => {
    request.once('upgrade', (response, socket, head) =>
      resolve({ kind: 'upgraded', response, socket, head }),
    );
    request.once('response', (response) => resolve({ kind: 'answered', response }));
    request.once('error', reject);
    request.end();
  });
}
