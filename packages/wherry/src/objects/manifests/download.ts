/** Files that are named by their URLs, past the proxy that the environment names for them. */
import type { IncomingMessage } from 'node:http';
import { KubeClient, proxyFromEnvironment } from '@wherry/client';
import { deadline, systemClock } from '@wherry/clock';
import { CommandError } from '../../errors.ts';
import { limits } from '../../limits.ts';

/** As many as Go follows. */
const redirectsMax = 10;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The text behind a URL of http or https, which may lead to others. Throws `CommandError`. */
export async function download(url: string): Promise<string> {
  using limit = deadline({ clock: systemClock, timeoutMs: limits.manifestDownloadTimeoutMs });
  try {
    return await textAt(new URL(url), limit.signal);
  } catch (error) {
    throw new CommandError(`reading ${url}: ${(error as Error).message}`, { cause: error });
  }
}

async function textAt(first: URL, signal: AbortSignal): Promise<string> {
  let url = first;
  for (let count = 0; count <= redirectsMax; count += 1) {
    const read = await textOrPlace(url, signal);
    if (typeof read === 'string') return read;
    url = read;
    if (!/^https?:$/.test(url.protocol)) throw new Error(`the server redirects to ${url}`);
  }
  throw new Error(`stopped after ${redirectsMax} redirects`);
}

/** What stands there, or where it stands. */
async function textOrPlace(url: URL, signal: AbortSignal): Promise<string | URL> {
  // Without credentials, and with the certificates that the machine trusts.
  const client = new KubeClient({
    access: {
      ...{ server: new URL(url.origin), namespace: 'default', proxy: proxyFromEnvironment(url) },
      ...{ tls: { rejectUnauthorized: true }, headers: () => ({}) },
    },
  });
  try {
    const answer = await client.pass({
      ...{ method: 'GET', path: `${url.pathname}${url.search}`, signal },
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
    });
    const { statusCode = 0, statusMessage, headers } = answer;
    if (statusCode === 200) return await textOf(answer);
    answer.destroy();
    if (redirects.has(statusCode) && headers.location !== undefined) return new URL(headers.location, url);
    throw new Error(`the server answered ${statusCode} ${statusMessage}`);
  } finally {
    client.close();
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > limits.manifestBytesMax) throw new Error(`longer than ${limits.manifestBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
