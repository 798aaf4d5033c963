import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ownValue } from '@wherry/kubeapi';
import { encodedPath } from './request-path.ts';

/** A request for a file. */
export interface FileRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** Below the folder, decoded and clean; begins with a slash. */
  path: string;
}

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.xml': 'text/xml; charset=utf-8',
};

/** The files of one folder; none that lies elsewhere, whatever links lead there. */
export class StaticFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Answers with a file, the page of a folder, or the names in it; never rejects. */
  async serve({ request, response, path }: FileRequest): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(response, 405, 'method not allowed');
    // The page of a folder has the folder's own path alone.
    if (path.endsWith('/index.html')) return redirect(response, './');
    try {
      await this.#serveFile({ request, response, path });
    } catch (error) {
      if (response.headersSent) response.destroy();
      else if (isAbsent(error)) answer(response, 404, '404 page not found');
      else answer(response, 403, '403 Forbidden');
    }
  }

  async #serveFile(asked: FileRequest): Promise<void> {
    const { request, response, path } = asked;
    await using file = await this.#open(path);
    const stats = await file.stat();
    const name = path.split('/').at(-1) ?? '';
    if (stats.isDirectory()) {
      if (!path.endsWith('/')) return redirect(response, `${encodeURIComponent(name)}/`);
      return await this.#serveFolder(asked);
    }
    if (!stats.isFile() || path.endsWith('/')) throw new Absent();
    const modified = new Date(Math.floor(stats.mtimeMs / 1000) * 1000);
    response.setHeader('last-modified', modified.toUTCString());
    const since = Date.parse(request.headers['if-modified-since'] ?? '');
    if (since >= modified.getTime()) {
      response.writeHead(304).end();
      return;
    }
    const type = ownValue(contentTypes, extname(name).toLowerCase()) ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-length': stats.size });
    if (request.method === 'HEAD') response.end();
    else await sendBytes(file, stats.size, response);
  }

  async #serveFolder({ path, ...asked }: FileRequest): Promise<void> {
    try {
      await using page = await this.#open(`${path}index.html`);
      const { size } = await page.stat();
      asked.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': size });
      if (asked.request.method === 'HEAD') asked.response.end();
      else await sendBytes(page, size, asked.response);
    } catch (error) {
      if (!isAbsent(error) || asked.response.headersSent) throw error;
      const entries = await readdir(await this.#place(path), { withFileTypes: true });
      const names = entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}`).sort();
      const lines = names.map((one) => `<a href="${encodedPath(one)}">${escaped(one)}</a>`);
      asked.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      asked.response.end(`<!doctype html>\n<pre>\n${lines.join('\n')}\n</pre>\n`);
    }
  }

  /** Where a path leads, links followed. Throws where that is outside. */
  async #place(path: string): Promise<string> {
    const folder = await realpath(this.#folder);
    const place = await realpath(join(folder, path));
    if (place !== folder && !place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`))
      throw new Absent();
    return place;
  }

  /** What has become a link since its place was found is not followed; a pipe is not waited for. */
  async #open(path: string): Promise<FileHandle> {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    return open(await this.#place(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  }
}

/** Nothing is there, as far as anybody who asks is told. */
class Absent extends Error {}

const isAbsent = (error: unknown): boolean =>
  error instanceof Absent ||
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '');

/** As many bytes as were told of, also of a file that grows. */
async function sendBytes(file: FileHandle, size: number, response: ServerResponse): Promise<void> {
  if (size === 0) response.end();
  else await pipeline(createReadStream('', { fd: file, autoClose: false, end: size - 1 }), response);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(301, { location }).end();
}

function answer(response: ServerResponse, status: number, text: string): void {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  response.writeHead(status, headers).end(`${text}\n`);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;');
