import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { encodeAnswer, finishWith, plainTextAnswer } from '../http/answer.ts';
import { refusalWriteTimeoutMs } from '../limits.ts';
import type { ProxyOutcome, ProxyUpgradeOptions } from './contract.ts';
import { closingHead } from './headers.ts';

const noBytes = { bytesFromClient: 0, bytesFromBackend: 0 };

/** Answers with an error of this hop's own. */
export function refuse(
  { socket, renderError }: Pick<ProxyUpgradeOptions, 'socket' | 'renderError'>,
  error: Error,
): ProxyOutcome {
  const answer = (renderError ?? plainTextAnswer)(500, error.message);
  finishWith(socket, encodeAnswer(answer));
  return { statusCode: answer.statusCode, ...noBytes, error };
}

/** Hands the backend's refusal to the client, body and all, within 10 s. */
export function relay(socket: Duplex, response: IncomingMessage): Promise<ProxyOutcome> {
  return new Promise((resolve) => {
    const finish = (error: Error | null) => {
      clearTimeout(deadline);
      response.destroy();
      resolve({ statusCode: response.statusCode ?? 0, ...noBytes, error });
    };
    const deadline = setTimeout(() => {
      socket.destroy();
      finish(new Error("the client did not take the backend's answer within 10 s"));
    }, refusalWriteTimeoutMs);
    socket.resume();
    socket.write(closingHead(response));
    response.on('error', (error) => socket.destroy(error));
    response.pipe(socket);
    socket.once('finish', () => finish(null));
    socket.once('close', () => finish(socket.errored ?? null));
  });
}
