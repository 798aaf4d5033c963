import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import { type Clock, deadline } from '@wherry/clock';
import type { JsonValue } from '@wherry/kubeapi/objects';
import { limits } from '../../limits.ts';
import { ExtenderError } from './extender-error.ts';

/** How one extender is reached. */
export interface ExtenderAddress {
  /** What stands before the verbs, such as `https://extender.example/scheduler`. */
  urlPrefix: string;
  timeoutMs: number;
  tls: ExtenderTls;
}

/** Certificates and keys are PEM. */
export interface ExtenderTls {
  /** Whoever answers is taken for the extender. */
  isInsecure: boolean;
  serverName?: string | undefined;
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
}

/** Sends a question to one extender over connections that are kept. */
export interface ExtenderDoor {
  /** Its answer. Rejects with {@link ExtenderError}, or the signal's reason. */
  post(verb: string, question: object, signal: AbortSignal): Promise<JsonValue>;
  close(): void;
}

/** A URL as logs and pods' states may tell it. Throws `TypeError` for what is none. */
export function withoutPassword(url: string): string {
  const parsed = new URL(url);
  if (parsed.password === '') return url;
  parsed.password = 'xxxxx';
  return parsed.href;
}

/** Opens the way to an extender; nothing is sent yet. Throws `TypeError` for what is no URL. */
export function openExtenderDoor({ urlPrefix, timeoutMs, tls }: ExtenderAddress, clock: Clock): ExtenderDoor {
  const prefix = urlPrefix.replace(/\/+$/, '');
  const shownPrefix = withoutPassword(prefix);
  const isSecure = new URL(prefix).protocol === 'https:';
  const shared = { keepAlive: true, maxSockets: limits.extenderConnectionsMax };
  const plain = new PlainAgent(shared);
  const secure = new Agent({
    ...shared,
    rejectUnauthorized: !tls.isInsecure,
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.cert !== undefined && { cert: tls.cert, key: tls.key }),
  });
  const send = (url: string, body: string, signal: AbortSignal): Promise<IncomingMessage> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { method: 'POST', headers, signal, agent: isSecure ? secure : plain };
    const sent = (isSecure ? request : plainRequest)(url, options, resolve);
    sent.on('error', reject);
    sent.end(body);
    return promise;
  };
  return {
    async post(verb, question, signal) {
      using patience = deadline({ clock, timeoutMs, signal });
      const url = `${shownPrefix}/${verb}`;
      try {
        const answer = await send(`${prefix}/${verb}`, JSON.stringify(question), patience.signal);
        if (answer.statusCode !== 200) {
          answer.destroy();
          throw new ExtenderError(`failed ${verb} with extender at URL ${url}, code ${answer.statusCode}`);
        }
        return JSON.parse(await textOf(answer)) as JsonValue;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ExtenderError) throw error;
        const why = patience.signal.aborted ? `no answer within ${timeoutMs} ms` : (error as Error).message;
        throw new ExtenderError(`Post "${url}": ${why}`, { cause: error });
      }
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limits.extenderAnswerBytesMax)
      throw new ExtenderError(`the extender's answer is longer than ${limits.extenderAnswerBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
