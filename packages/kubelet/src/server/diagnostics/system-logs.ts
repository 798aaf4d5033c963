import { closeSync, fstatSync, type Stats } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { withoutTrailing } from '@wherry/kubeapi';
import { descriptorPath, hasCode, OpenFolder, pathOnlyFlag } from '@wherry/linux';
import { systemLogEntriesMax } from '../../limits.ts';
import { answerHtml, HttpError } from '../answers.ts';

/** The folder that is shown. */
export const systemLogsDir = '/var/log';

/**
 * `/logs/…`: the files below `root`, folders as lists of links. Links are followed while they stay below it; pods may write
 * there. Only plain files and folders are opened: a pipe would wait, a device might act.
 */
export async function serveSystemLogs(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  await serveLogFile(root, nameBelow(url.pathname), request, response);
}

/** The same by the name below `root`. */
export async function serveLogFile(
  root: string,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const descriptor = openBelow(root, name);
  try {
    const stats = fstatSync(descriptor);
    const isFolderPath = name === '' || name.endsWith('/');
    if (stats.isDirectory() && isFolderPath) {
      return answerHtml(response, await listing(descriptorPath(descriptor)));
    }
    if (stats.isDirectory()) return redirect(response, `${lastPart(name)}/`);
    if (!stats.isFile()) throw new HttpError(403, `${JSON.stringify(name)} is neither a file nor a folder`);
    if (isFolderPath) return redirect(response, `../${lastPart(name)}`);
    await sendFile(descriptor, stats, request, response);
  } finally {
    closeSync(descriptor);
  }
}

function nameBelow(path: string): string {
  try {
    return decodeURIComponent(path.replace(/^\/logs\/*/, ''));
  } catch {
    throw new HttpError(
      400,
      `${JSON.stringify(path)} is no path: a "%" has no two hexadecimal digits after it`,
    );
  }
}

/** A descriptor that names what is there, without opening it. Throws 404 and 403. */
export function openBelow(root: string, name: string): number {
  try {
    using folder = OpenFolder.at(root);
    return folder.open(withoutTrailing(name, '/') || '.', { flags: pathOnlyFlag, links: 'beneath' });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EINVAL', 'ENAMETOOLONG'))
      throw new HttpError(404, '404 page not found');
    if (hasCode(error, 'EXDEV', 'ELOOP'))
      throw new HttpError(403, `${JSON.stringify(name)} leads out of ${root}, which is not followed`);
    throw error;
  }
}

async function listing(folder: string): Promise<string> {
  const names: string[] = [];
  let rest = '';
  for await (const entry of await opendir(folder)) {
    if (names.length < systemLogEntriesMax) names.push(entry.isDirectory() ? `${entry.name}/` : entry.name);
    else rest = `only ${systemLogEntriesMax} entries are shown\n`;
  }
  const links = names.sort().map((name) => `<a href="${href(name)}">${escaped(name)}</a>\n`);
  return `<pre>\n${links.join('')}${rest}</pre>\n`;
}

/** A link to an entry of the folder, also where its name looks like a scheme (`a:b`). */
const href = (name: string) => `./${name.split('/').map(encodeURIComponent).join('/')}`;

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const lastPart = (name: string) =>
  encodeURIComponent(
    name
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? '',
  );

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(301, { location });
  response.end();
}

/** Sends the file as far as it goes now. As plain text, whatever its name says: logs hold what strangers wrote. */
async function sendFile(
  descriptor: number,
  { size, mtime }: Stats,
  { method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('last-modified', mtime.toUTCString());
  if (method === 'HEAD' || size === 0) {
    response.end();
    return;
  }
  const file = await open(descriptorPath(descriptor));
  await pipeline(file.createReadStream({ end: size - 1 }), response);
}
