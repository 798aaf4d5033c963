import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ByteChannel } from '@wherry/bytes';
import { fromDuplex } from '@wherry/bytes';
import { highWaterBytes, keepAliveDelayMs } from '../limits.ts';

/**
 * Takes a socket over from HTTP: `head` is what was read behind the request or answer. No HTTP time-out holds any
 * more, and TCP keep-alive finds peers that are gone without a word, after `delayMs` of silence.
 */
export function adoptSocket(socket: Duplex, head: Buffer, delayMs = keepAliveDelayMs): ByteChannel {
  if (socket instanceof Socket) socket.setNoDelay(true).setKeepAlive(true, delayMs).setTimeout(0);
  if (head.length > 0) socket.unshift(head);
  return fromDuplex(socket, { highWaterBytes });
}
