import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fromDuplex, pump } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { encodeAnswer, finishWith, type HttpAnswer, plainTextAnswer } from './answer.ts';
import { askBackend, type BackendAnswer } from './backend-answer.ts';
import type { UpgradeExchange } from './exchange.ts';
import { highWaterBytes, idleTimeoutMs, pingIntervalMs, refusalWriteTimeoutMs } from './limits.ts';
import { Liveness } from './liveness.ts';
import { backendHeaders, closingHead, upgradedHead } from './proxy-headers.ts';
import type { TlsClientOptions } from './target.ts';

/** What {@link proxyUpgrade} is given. */
export interface ProxyUpgradeOptions extends UpgradeExchange {
  /** The whole URL at the backend, with path and query; headers to set there, such as the hop's own credentials. */
  backend: {
    url: string | URL;
    headers?: Record<string, string> | undefined;
    tls?: TlsClientOptions | undefined;
    connect?: (() => Duplex | Promise<Duplex>) | undefined;
  };
  /** How this hop's own errors look (500 `error dialing backend: …`). Default: plain text, as the kubelet's. */
  renderError?: ((statusCode: number, message: string) => HttpAnswer) | undefined;
  /** No byte in either direction for so long ends the connection. Default 4 h. */
  idleTimeoutMs?: number | undefined;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
}

/** What became of a proxied upgrade. */
export interface ProxyOutcome {
  /** Status code the client saw: 101 when it was upgraded. */
  statusCode: number;
  bytesFromClient: number;
  bytesFromBackend: number;
  /** Null when both directions ended in order, or the backend's refusal was relayed. */
  error: Error | null;
}

/**
 * Passes an upgrade on as it is: the client's request line and headers (without its credentials) to the backend, the
 * backend's answer back, and after a real 101 every byte both ways with half-close, until both directions have ended.
 *
 * A refusal (400 and above) is relayed with its body; anything else but 101, redirects above all, becomes a 500 and is
 * neither followed nor relayed (CVE-2020-8559). The backend gets nothing from the client before its 101
 * (CVE-2018-1002105). Resolves when all is over; never rejects.
 */
export async function proxyUpgrade(options: ProxyUpgradeOptions): Promise<ProxyOutcome> {
  const { request, backend, signal } = options;
  options.socket.on('error', () => {});
  let answer: BackendAnswer;
  try {
    const lines = backendHeaders(request, backend.headers);
    answer = await askBackend({ ...backend, method: request.method ?? 'GET', lines, signal });
  } catch (error) {
    return refuse(options, error as Error);
  }
  if (answer.kind === 'upgraded') return join(options, answer);
  const statusCode = answer.response.statusCode ?? 0;
  if (statusCode >= 400) return relay(options.socket, answer.response);
  answer.response.destroy();
  return refuse(options, new Error(`invalid upgrade response: status code ${statusCode}`));
}

const noBytes = { bytesFromClient: 0, bytesFromBackend: 0 };

function refuse({ socket, renderError }: ProxyUpgradeOptions, error: Error): ProxyOutcome {
  const answer = (renderError ?? plainTextAnswer)(500, error.message);
  finishWith(socket, encodeAnswer(answer));
  return { statusCode: answer.statusCode, ...noBytes, error };
}

/** Hands the backend's refusal to the client, body and all, within 10 s. */
function relay(socket: Duplex, response: IncomingMessage): Promise<ProxyOutcome> {
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

async function join(
  options: ProxyUpgradeOptions,
  answer: Extract<BackendAnswer, { kind: 'upgraded' }>,
): Promise<ProxyOutcome> {
  const client = adopt(options.socket, options.head);
  const backend = adopt(answer.socket, answer.head);
  client.write(upgradedHead(answer.response));
  const cut = (error: Error) => {
    client.abort(error);
    backend.abort(error);
  };
  const liveness = new Liveness({
    clock: options.clock,
    intervalMs: pingIntervalMs,
    silenceTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    isPaused: () => false,
    beat: () => {},
    onSilence: (silentMs) => cut(new Error(`no byte passed the proxy for ${Math.round(silentMs)} ms`)),
  });
  const abandon = () => cut(new Error('the proxy is closing', { cause: options.signal?.reason }));
  if (options.signal?.aborted) abandon();
  options.signal?.addEventListener('abort', abandon, { once: true });
  const onBytes = () => liveness.heard();
  const [up, down] = await Promise.all([
    pump(client, backend, { onBytes }),
    pump(backend, client, { onBytes }),
  ]);
  liveness.stop();
  options.signal?.removeEventListener('abort', abandon);
  const error = up.error ?? down.error;
  return { statusCode: 101, bytesFromClient: up.bytes, bytesFromBackend: down.bytes, error };
}

function adopt(socket: Duplex, head: Buffer) {
  if (socket instanceof Socket) socket.setNoDelay(true).setKeepAlive(true, 30_000).setTimeout(0);
  if (head.length > 0) socket.unshift(head);
  return fromDuplex(socket, { highWaterBytes });
}
