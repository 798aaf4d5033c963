import https from 'node:https';
import { createSecureContext } from 'node:tls';
import type { HostileRequest } from './mutate.ts';
import type { Role } from './roles.ts';

/** What became of a request: an answer, or why there was none. */
export type Answer =
  | { kind: 'answered'; statusCode: number; text: string }
  | { kind: 'unsent'; reason: string }
  | { kind: 'cut'; reason: string };

/** Where requests go. */
export interface Destination {
  host: string;
  port: number;
  ca: Buffer;
}

const textBytesMax = 256 * 1024;
const patienceMs = 15_000;
/** A watch or a log goes on: its beginning is what counts. */
const openEndedMs = 150;

/** Sends requests as one role over a few kept connections. */
export class Sender {
  readonly #destination: Destination;
  readonly #role: Role;
  readonly #agent: https.Agent;

  constructor(destination: Destination, role: Role, connectionsMax: number) {
    this.#destination = destination;
    this.#role = role;
    const { cert, key } = role;
    this.#agent = new https.Agent({
      keepAlive: true,
      maxSockets: connectionsMax,
      // Made once: mostly the answer to what is damaged ends its connection.
      secureContext: createSecureContext({ ca: destination.ca, cert, key }),
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  send({ method, target, headers, body }: HostileRequest): Promise<Answer> {
    return new Promise((resolve) => {
      const { host, port } = this.#destination;
      let request: ReturnType<typeof https.request>;
      try {
        request = https.request({
          ...{ host, port, method, path: target, agent: this.#agent },
          headers: { ...headers, ...this.#role.headers, ...(body ? { 'content-length': body.length } : {}) },
        });
      } catch (error) {
        resolve({ kind: 'unsent', reason: (error as Error).message });
        return;
      }
      const patience = setTimeout(() => request.destroy(new Error('no answer in time')), patienceMs);
      const done = (answer: Answer) => {
        clearTimeout(patience);
        resolve(answer);
      };
      request.on('error', (error) => done({ kind: 'cut', reason: error.message }));
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        done({ kind: 'answered', statusCode: response.statusCode ?? 0, text: '' });
      });
      request.on('response', (response) => {
        const { statusCode = 0 } = response;
        let text = '';
        const openEnded = setTimeout(() => {
          done({ kind: 'answered', statusCode, text });
          request.destroy();
        }, openEndedMs);
        response.on('data', (chunk: Buffer) => {
          if (text.length < textBytesMax) text += chunk;
        });
        response.on('error', () => {});
        response.on('end', () => {
          clearTimeout(openEnded);
          done({ kind: 'answered', statusCode, text });
        });
      });
      request.end(body);
    });
  }
}
