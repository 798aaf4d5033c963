import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createKubeClient } from '@wherry/client';
import { type ConsoleOptions, type RunningConsole, startConsole } from '@wherry/console';

/** A console, and a browser that has logged in to it. */
export interface Opened extends AsyncDisposable {
  console: RunningConsole;
  origin: string;
  /** What stands in front of API paths. */
  cluster: string;
  cookie: string;
}

/** What came back. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Sends a request as it stands: path and headers are not put in order. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
      response.on('error', reject);
    });
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Starts a console for a cluster and logs in. */
export async function openConsole(
  kubeconfig: string,
  options: Pick<ConsoleOptions, 'streamingServers'> = {},
): Promise<Opened> {
  const console = await startConsole({ client: createKubeClient({ kubeconfig }), ...options });
  const login = await ask(console.port, console.loginUrl.pathname + console.loginUrl.search);
  assert.equal(login.status, 200, login.body);
  const [, home = ''] = /url=([^"]+)"/.exec(login.body) ?? [];
  const [cookie = ''] = String(login.headers['set-cookie']).split(';');
  return {
    ...{ console, cookie, origin: console.loginUrl.origin, cluster: `${home}cluster` },
    [Symbol.asyncDispose]: () => console.close(),
  };
}
