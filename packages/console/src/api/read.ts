import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientError, type KubeClient, StatusError } from '@wherry/client';
import { dataHeaders } from '../answers/headers.ts';

/** One reading request, for which the API server has allowed or refused what the kubeconfig's user may. */
export interface Reading {
  client: KubeClient;
  /** API path with its query. */
  path: string;
  /** In which form the page wants the answer: objects, metadata, a table, YAML. */
  accept: string | undefined;
  /** Aborts when the browser has gone, and with it the request to the API server. */
  signal: AbortSignal;
}

/** Asks the API server and hands its answer on as it comes; watches and followed logs too. */
export async function passReading(
  { client, path, accept = 'application/json', signal }: Reading,
  response: ServerResponse,
): Promise<void> {
  const answer = await client.stream({
    method: 'GET',
    path,
    headers: { accept },
    signal,
  });
  // Logs and YAML are text, whatever their server calls them.
  const isJson = answer.header('content-type')?.startsWith('application/json');
  response.writeHead(answer.status, dataHeaders(isJson ? 'application/json' : 'text/plain; charset=utf-8'));
  response.flushHeaders();
  await pipeline(Readable.from(answer.body, { objectMode: false }), response, { signal });
}

/** Answers with a failure in the API's form, so that the page shows one kind of them. */
export function answerFailure(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    // A body that ends early must not look whole.
    response.destroy();
    return;
  }
  const { status } = statusErrorFor(error);
  const headers = dataHeaders('application/json');
  response.writeHead(status.code ?? 500, { ...headers, connection: 'close' }).end(JSON.stringify(status));
}

/** What a browser is told of a failure: what the API server says, or that it can't be reached. */
export function statusErrorFor(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ClientError)
    return new StatusError({ code: 502, reason: 'Unknown', message: `console: ${message}` });
  return new StatusError({ code: 500, reason: 'InternalError', message: `console: ${message}` });
}
