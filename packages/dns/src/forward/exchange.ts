import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { orAborted } from '@wherry/bytes';
import { type ReceivedAnswer, readAnswer } from '../wire/message.ts';
import type { Name } from '../wire/name.ts';
import { WireError } from '../wire/wire-error.ts';
import type { Resolver } from './resolver-list.ts';

/** A question as it goes to another server. */
export interface OutgoingQuestion {
  id: number;
  name: Name;
  type: number;
  message: Buffer;
}

/**
 * Asks one server, each time from a port of the kernel's choice: over UDP first, over TCP where the answer does not fit.
 * What answers another question is dropped. Rejects with the socket's error or the signal's reason.
 */
export async function exchange(
  resolver: Resolver,
  question: OutgoingQuestion,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const answer = await overUdp(resolver, question, signal);
  return answer.truncated ? overTcp(resolver, question, signal) : answer;
}

function answerTo({ id, name, type }: OutgoingQuestion, packet: Buffer): ReceivedAnswer | undefined {
  try {
    const answer = readAnswer(packet);
    return answer.id === id && answer.name === name && answer.type === type ? answer : undefined;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function overUdp(
  { address, port }: Resolver,
  question: OutgoingQuestion,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const socket: UdpSocket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  return settled<ReceivedAnswer>(
    signal,
    () => socket.close(),
    (resolve, reject) => {
      // More than one error may come; and one of connect() would go to its callback, as if it had connected.
      socket.on('error', reject);
      // A socket that is connected takes packets of that server alone, and hears that nobody listens there.
      socket.once('connect', () => socket.send(question.message));
      socket.connect(port, address);
      socket.on('message', (packet) => {
        const answer = answerTo(question, packet);
        if (answer) resolve(answer);
      });
    },
  );
}

function overTcp(
  { address, port }: Resolver,
  question: OutgoingQuestion,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const socket = connect({ port, host: address });
  return settled<ReceivedAnswer>(
    signal,
    () => socket.destroy(),
    (resolve, reject) => {
      let received = Buffer.alloc(0);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error(`${address} closed the connection before its answer`)));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(question.message.length);
      socket.write(Buffer.concat([length, question.message]));
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
        const answer = answerTo(question, received.subarray(2, 2 + received.readUInt16BE(0)));
        if (answer && !answer.truncated) resolve(answer);
        else reject(new Error(`${address} answered another question, or not all of it, over TCP`));
      });
    },
  );
}

/** A promise that lets go of its socket however it ends. */
async function settled<T>(
  signal: AbortSignal,
  release: () => void,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  try {
    start(resolve, reject);
    return await orAborted(promise, signal);
  } finally {
    release();
  }
}
