import type { IncomingMessage } from 'node:http';
import { acceptWebSocket, type MessageSocket, UpgradeError, type UpgradeExchange } from '@wherry/upgrade';
import { limits } from '../limits.ts';
import type { FollowedLog } from './followed-log.ts';

const binary = 'binary.k8s.io';
const base64 = 'base64.binary.k8s.io';

/**
 * Sends a log as WebSocket messages (upstream: streaming/pkg/httpstream/wsstream): an empty one first, then at most
 * `limits.logMessageBytesMax` bytes each, at the reader's pace; what the client sends is ignored. A log that breaks off
 * ends in an abnormal close.
 */
export async function streamLogToSocket(
  log: IncomingMessage,
  exchange: UpgradeExchange,
  followed: FollowedLog,
): Promise<void> {
  const socket = accept(exchange);
  if (!socket) {
    log.destroy();
    followed.ended(log);
    return;
  }
  followed.joined(`WebSocket ${socket.protocol}`.trimEnd());
  socket.receive({ message() {}, closed: () => log.destroy() });
  const send = (bytes: Buffer) =>
    socket.protocol === base64 ? socket.sendText(bytes.toString('base64')) : socket.sendBinary(bytes);
  try {
    send(Buffer.alloc(0));
    for await (const chunk of log as AsyncIterable<Buffer>) {
      followed.passed(chunk.length);
      for (let start = 0; start < chunk.length; start += limits.logMessageBytesMax) {
        const hasRoom = send(chunk.subarray(start, start + limits.logMessageBytesMax));
        if (hasRoom) continue;
        followed.waits(true);
        await socket.drained();
        followed.waits(false);
      }
    }
    socket.close();
  } catch (error) {
    socket.abort(error as Error);
  }
  await socket.closed;
  followed.ended(log);
}

/** Undefined when the handshake was refused; the client has got its answer then. */
function accept(exchange: UpgradeExchange): MessageSocket | undefined {
  try {
    return acceptWebSocket({ ...exchange, protocols: ['', binary, base64] });
  } catch (error) {
    if (error instanceof UpgradeError) return undefined;
    throw error;
  }
}
