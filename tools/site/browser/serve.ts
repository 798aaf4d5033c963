import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** A folder on a port of this machine, and what was asked of it in vain. */
export interface Served {
  url: string;
  /** Paths that are not there. */
  missed: string[];
  close(): void;
}

/** Serves the files of a folder on loopback. */
export async function serve(folder: string): Promise<Served> {
  const missed: string[] = [];
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    try {
      const content = readFileSync(join(folder, decodeURIComponent(pathname)));
      response.setHeader('content-type', types[extname(pathname)] ?? 'text/plain').end(content);
    } catch {
      missed.push(pathname);
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, missed, close };
}
