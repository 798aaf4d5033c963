import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { KubeClient, type KubeClientOptions } from '../src/index.ts';

/** Answers one request. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** A client of a real HTTP server that gives scripted answers, one per request in order; the last one repeats. */
export async function startScriptedServer(
  context: TestContext,
  answers: Answer[],
  options: Omit<KubeClientOptions, 'access'> = {},
) {
  const requests: { method: string; url: string; body: string; contentType: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    requests.push({ method, url, body, contentType: headers['content-type'] });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new KubeClient({
    ...options,
    access: {
      server: new URL(`http://127.0.0.1:${port}`),
      tls: { rejectUnauthorized: true },
      namespace: 'default',
      headers: () => ({ authorization: 'Bearer secret' }),
    },
  });
  context.after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, requests, server, port };
}

/** An answer of that status with a JSON body. */
export const json =
  (value: unknown, code = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
