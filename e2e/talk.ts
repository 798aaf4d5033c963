import { connect } from 'node:net';
import { stretched } from './slowness.ts';

const answerTimeoutMs = 30_000;

/** Sends a request to a local port, half-closes, and reads the answer to its end. Rejects when the other side breaks it. */
export function talk(port: number, request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let answer = '';
    socket.setTimeout(stretched(answerTimeoutMs), () => socket.destroy(new Error('no answer within 30 s')));
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answer));
    socket.once('end', () => socket.end());
    socket.end(request);
  });
}
