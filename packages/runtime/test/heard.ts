import assert from 'node:assert/strict';
import type { Socket } from 'node:dgram';
import { setTimeout as delay } from 'node:timers/promises';
import { datagram, type Station, sendFrames } from './raw-frames.ts';

/**
 * What a socket of the machine hears of the frames that a pod sends; the true datagram that follows shows that all before
 * it have been looked at.
 */
export async function heard(
  socket: Socket,
  { from, gateway }: { from: Station & { networkNamespace: string }; gateway: Station },
  frames: (port: number) => Buffer[],
): Promise<string[]> {
  const texts: string[] = [];
  socket.on('message', (message) => texts.push(message.toString()));
  const { port } = socket.address();
  for (let tries = 0; tries < 100 && !texts.includes('true'); tries++) {
    sendFrames(from.networkNamespace, [...frames(port), datagram(from, gateway, port, 'true')]);
    await delay(50);
  }
  assert.ok(texts.includes('true'), 'even a true datagram did not arrive');
  return [...new Set(texts)];
}
