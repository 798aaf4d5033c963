import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';

const author = ['-c', 'user.name=judge', '-c', 'user.email=judge@example.com'];

/** A repository that others clone over HTTP, by git's own backend. */
export class GitServer {
  readonly folder: string;
  readonly #server: Server;

  private constructor(folder: string, server: Server) {
    this.folder = folder;
    this.#server = server;
  }

  /** Makes an empty repository below `root` and serves it on all addresses. */
  static async start(root: string): Promise<GitServer> {
    const folder = join(root, 'fleet');
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder]);
    const server = createServer((request, response) => void answer(root, request, response));
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    return new GitServer(folder, server);
  }

  url(host: string): string {
    return `http://${host}:${(this.#server.address() as AddressInfo).port}/fleet/.git`;
  }

  /** Writes these files, takes away those that are null, and answers the name of the commit. */
  commit(files: Record<string, string | object | null>): string {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      if (content === null) rmSync(file);
      else writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
    }
    this.#git('add', '--all');
    this.#git(...author, 'commit', '--quiet', '--message', 'Changed');
    return this.#git('rev-parse', 'HEAD').trim();
  }

  /** Takes the last commit back, by another one. */
  revert(): void {
    this.#git(...author, 'revert', '--no-edit', 'HEAD');
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #git(...words: string[]): string {
    return execFileSync('git', words, { cwd: this.folder, encoding: 'utf8' });
  }
}

/** Runs the backend for one request, as RFC 3875 has it. */
async function answer(root: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '/', search = ''] = (request.url ?? '/').split('?');
  const {
    'content-type': type = '',
    'git-protocol': protocol = '',
    'content-encoding': encoding = '',
  } = request.headers;
  const env = {
    ...process.env,
    ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', PATH_INFO: path, QUERY_STRING: search },
    ...{ REQUEST_METHOD: request.method, CONTENT_TYPE: type, HTTP_CONTENT_ENCODING: encoding },
    GIT_PROTOCOL: String(protocol),
  };
  const backend = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  request.pipe(backend.stdin);
  const output = Buffer.concat(await backend.stdout.toArray());
  const end = output.indexOf('\r\n\r\n');
  for (const line of output.subarray(0, end).toString().split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/s);
    if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.end(output.subarray(end + 4));
}
