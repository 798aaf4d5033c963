import type { SpdyStream } from '@wherry/spdy';
import { streamHeaders } from './protocols.ts';

/** What one stream of a pair asks for. */
export interface StreamRequest {
  type: 'data' | 'error';
  port: number;
  /** Names the pair within its session. */
  requestId: string;
  /** Whether the client copes with the text of a failure. */
  wantsErrorText: boolean;
}

/** A decimal port from 1 to 65535, or undefined. */
export function parsePort(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,5}$/.test(text)) return undefined;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Reads a stream's headers; undefined when they are wrong. Old clients send no request id: then the pair is named
 * after the error stream, which comes just before its data stream (ids n-2 and n).
 */
export function parseStreamRequest(stream: Pick<SpdyStream, 'id' | 'headers'>): StreamRequest | undefined {
  const { headers, id } = stream;
  const type = headers.get(streamHeaders.type);
  const port = parsePort(headers.get(streamHeaders.port));
  if (port === undefined || (type !== 'data' && type !== 'error')) return undefined;
  const requestId = headers.get(streamHeaders.requestId) || `#${type === 'error' ? id : id - 2}`;
  return { type, port, requestId, wantsErrorText: headers.get(streamHeaders.errors) === 'text' };
}
