import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { acceptWebSocket } from '@wherry/upgrade';

/** Plays an API server's part in one answer. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const object = (name: string, uid = name) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap' },
  metadata: { name, namespace: 'default', uid, resourceVersion: uid === name ? '1' : '8' },
});
const json = (value: unknown, code = 200, headers: Record<string, string> = {}): Answer => {
  return (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};
const list = (resourceVersion: string, ...items: object[]): Answer =>
  json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion }, items });
const failed = (code: number, reason: string, headers: Record<string, string> = {}): Answer =>
  json({ kind: 'Status', status: 'Failure', code, reason, message: reason }, code, headers);
const watch = (events: [string, object][], then: Answer = () => {}): Answer => {
  return (response, request) => {
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    for (const [type, value] of events) response.write(`${JSON.stringify({ type, object: value })}\n`);
    then(response, request);
  };
};
const tear: Answer = (response) => void setTimeout(() => response.destroy(), 50);
const end: Answer = (response) => void setTimeout(() => response.end(), 50);
const expired = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' };
const broken = { kind: 'Status', status: 'Failure', code: 500, reason: 'InternalError' };

/** What the server answers to lists and to watches, one after the other; the last of each stays. */
export const plays: Record<string, { lists: Answer[]; watches: Answer[] }> = {
  'torn watch': {
    lists: [list('1', object('a'))],
    watches: [watch([], tear), watch([['ADDED', object('b', 'later')]])],
  },
  'list refused once': {
    lists: [failed(503, 'ServiceUnavailable'), list('1', object('a'))],
    watches: [watch([])],
  },
  'too many requests': {
    lists: [list('1', object('a'))],
    watches: [
      failed(429, 'TooManyRequests', { 'retry-after': '1' }),
      watch([['ADDED', object('b', 'later')]]),
    ],
  },
  'replaced object': {
    lists: [list('1', object('a')), list('9', object('a', 'another'))],
    watches: [watch([['ERROR', expired]], end), watch([])],
  },
  'error event': {
    lists: [list('1', object('a')), list('1', object('a'))],
    watches: [watch([['ERROR', broken]]), watch([])],
  },
  bookmarks: { lists: [list('1', object('a'))], watches: [watch([])] },
  'handler that throws': { lists: [list('1', object('a'))], watches: [watch([['ADDED', object('a')]])] },
  'exec that is cut': { lists: [], watches: [] },
};

/** Serves one play over http, and cuts each session 100 ms after it was opened. */
export async function startScriptedServer(play: { lists: Answer[]; watches: Answer[] }) {
  const requests: string[] = [];
  const rest = { lists: [...play.lists], watches: [...play.watches] };
  const next = (answers: Answer[]) => (answers.length > 1 ? answers.shift() : answers[0]);
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(url);
    // Lists that come as a stream of events are a later addition, which this server does not offer.
    if (url.includes('sendInitialEvents')) return failed(422, 'Invalid')(response, request);
    next(url.includes('watch=true') ? rest.watches : rest.lists)?.(response, request);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    acceptWebSocket({ request, socket, head, protocols: ['v5.channel.k8s.io'] });
    setTimeout(() => socket.destroy(), 100);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    requests,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
