import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

/** Where the scripts load a manifest from. */
export const githubHost = 'raw.githubusercontent.com';

const branch = '/kubernetes/kubernetes/master/';

/** A proxy that leads to files of the tree in place of those that GitHub has, and nowhere else. */
export interface GitHub {
  proxyUrl: string;
  close(): void;
}

/** `cert` is one for {@link githubHost}. */
export async function startGitHub(root: string, identity: { cert: string; key: string }): Promise<GitHub> {
  const files = createSecureServer(identity, async ({ url = '' }, response) => {
    const path = normalize(new URL(url, `https://${githubHost}`).pathname);
    try {
      if (!path.startsWith(branch)) throw new RangeError(`${path} is not in the tree`);
      response.end(await readFile(join(root, path.slice(branch.length))));
    } catch {
      response.writeHead(404).end();
    }
  });
  const proxy = createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', ({ url }, socket) => {
    socket.on('error', () => socket.destroy());
    if (url !== `${githubHost}:443`) return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    files.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { proxyUrl: `http://127.0.0.1:${port}`, close: () => proxy.close() };
}
